import { resultStoreFromEnvironment, resultStoreVariable, type ResultStore } from '@art/store';

/**
 * The store that `ART_RESULT_STORE` names at the first rollout, else S3, also beside a mounted bucket. The AWS SDK takes a third of an
 * agent's start, so it is loaded only if it will be needed, and then at once: a snapshot at the first healthy ping has to contain it.
 */
export function defaultResultStore(): () => Promise<ResultStore> {
  const ahead = process.env[resultStoreVariable] === undefined ? import('@art/store-s3') : undefined;
  ahead?.catch(() => undefined);
  const s3 = async (): Promise<ResultStore> => new (await (ahead ?? import('@art/store-s3'))).S3ResultStore();
  return async () => resultStoreFromEnvironment(process.env, s3) ?? s3();
}
