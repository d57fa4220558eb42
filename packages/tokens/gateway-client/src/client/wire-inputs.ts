import type { FinishTrajectoryInput, CaptureQueryInput } from './gateway-calls.ts';

/** The query of a range. */
export function rangeQuery({ sinceMs, limit, choices }: CaptureQueryInput): Record<string, string | number> {
  return {
    ...(sinceMs !== undefined && { since: sinceMs / 1_000 }),
    ...(limit !== undefined && { limit }),
    ...(choices !== undefined && { choices }),
  };
}

/** An input by the names of the wire; fields that are undefined are not sent, and what is inside of them stays as it is. */
export function onWire(input: object): object {
  const named = Object.entries(input).map(([name, value]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(named) as object;
}

/** The body of a finish; fields that are undefined are not sent. */
export function finishBody(input: FinishTrajectoryInput): object {
  const { rolloutId, groupId, waitTimeoutMs } = input;
  const hasBase = rolloutId !== undefined || groupId !== undefined;
  return {
    reward: input.reward,
    base: hasBase ? { rollout_id: rolloutId, group_id: groupId } : undefined,
    extra_metadata: input.metadata,
    wait_timeout_s: waitTimeoutMs === undefined ? undefined : waitTimeoutMs / 1_000,
  };
}
