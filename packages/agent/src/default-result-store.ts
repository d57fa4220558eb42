import { resultStoreFromEnvironment, resultStoreVariable, type ResultStore } from '@art/store';

/**
 * Where results go unless the app says otherwise: the store that ART_RESULT_STORE names when the first rollout comes, or
 * else S3. The AWS SDK takes a third of an agent's start, so it is loaded only where it will be needed, and then at once:
 * a snapshot of the process, taken at its first healthy ping, then has it.
 */
export function defaultResultStore(): () => Promise<ResultStore> {
  const ahead = process.env[resultStoreVariable] === undefined ? import('@art/store-s3') : undefined;
  ahead?.catch(() => undefined);
  return async () => {
    const given = resultStoreFromEnvironment();
    if (given !== undefined) return given;
    const { S3ResultStore } = await (ahead ?? import('@art/store-s3'));
    return new S3ResultStore();
  };
}
