import { resultStoreFromEnvironment, resultStoreVariable, type ResultStore } from '@art/store';

/**
 * The store that `ART_RESULT_STORE` names when the first rollout arrives, else S3. Loading the AWS SDK takes a third of
 * an agent's start. It is loaded only where it will be needed, and then at once, so that a snapshot at the first
 * healthy ping contains it.
 */
export function defaultResultStore(): () => Promise<ResultStore> {
  const ahead = process.env[resultStoreVariable] === undefined ? import('@art/store-s3') : undefined;
  ahead?.catch(() => undefined);
  return async () =>
    resultStoreFromEnvironment() ?? new (await (ahead ?? import('@art/store-s3'))).S3ResultStore();
}
