import { prepareRun, type RunDependencies, type RunRequest } from './prepare-run.ts';

/** What an accepted rollout is answered with, as it goes over the wire. */
export type RolloutReply =
  | { status: 'processing' }
  | { status: 'processing'; s3_bucket: string; result_key: string };

/**
 * Takes a rollout on. The returned reply says where the result will be; the handler runs after it has been sent.
 * @throws as {@link prepareRun}, before anything is started
 */
export async function acceptRollout(run: RunRequest, dependencies: RunDependencies): Promise<RolloutReply> {
  const { at, start } = await prepareRun(run, dependencies);
  start();
  return at === undefined
    ? { status: 'processing' }
    : { status: 'processing', s3_bucket: at.bucket, result_key: at.key };
}
