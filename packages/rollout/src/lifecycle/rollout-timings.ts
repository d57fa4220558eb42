import type { RolloutState } from './rollout-state.ts';

/** When things happened to a rollout. Durations are monotonic, in milliseconds since its submission. */
export interface RolloutTimings {
  /** When the request was handed to the runtime, in milliseconds since 1970. */
  submittedAtMs: number;
  /** Until the agent had answered; waiting for a rate limit and starting the session are in it. */
  acceptedMs: number | undefined;
  /** Until the result was seen in the store. */
  noticedMs: number | undefined;
  /** Until the outcome was known. */
  settledMs: number | undefined;
}

export function rolloutTimings(state: RolloutState, submittedAtMs: number): RolloutTimings {
  const since = (atMs: number | undefined): number | undefined =>
    atMs === undefined ? undefined : atMs - state.submittedMs;
  return {
    submittedAtMs,
    acceptedMs: since('acceptedMs' in state ? state.acceptedMs : undefined),
    noticedMs: since('noticedMs' in state ? state.noticedMs : undefined),
    settledMs: since('settledMs' in state ? state.settledMs : undefined),
  };
}
