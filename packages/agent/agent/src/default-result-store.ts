import { resultStoreFromEnvironment, resultStoreVariable, type ResultStore } from '@art/store';

/**
 * What ART_RESULT_STORE names when the first rollout comes, or else S3. The AWS SDK is a third of an agent's start: it is
 * loaded only where it will be needed, and then at once, so that a snapshot at the first healthy ping has it.
 */
export function defaultResultStore(): () => Promise<ResultStore> {
  const ahead = process.env[resultStoreVariable] === undefined ? import('@art/store-s3') : undefined;
  ahead?.catch(() => undefined);
  return async () =>
    resultStoreFromEnvironment() ?? new (await (ahead ?? import('@art/store-s3'))).S3ResultStore();
}
