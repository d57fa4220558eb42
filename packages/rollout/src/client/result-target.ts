import type { RolloutClientOptions } from './rollout-client-options.ts';

/** Where the results of a client's rollouts are stored; undefined where they come from sessions. */
export function resultTarget({
  results,
  bucket,
  expId,
}: Pick<RolloutClientOptions, 'results' | 'bucket' | 'expId'>):
  | { bucket: string; expId: string }
  | undefined {
  if (results === 'session' || bucket === undefined || expId === undefined) return undefined;
  return { bucket, expId };
}
