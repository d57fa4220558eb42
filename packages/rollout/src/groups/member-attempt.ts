import { trajectoryOf } from '../gateway/trajectory-of.ts';
import type { Attempt } from '../pool/attempt.ts';
import { withMethods } from '../pool/with-methods.ts';
import type { MemberAttempt } from './group.ts';

/** What a consumer is told of an attempt; undefined where no session ever worked for it. */
export function memberAttempt({ index, state }: Attempt): MemberAttempt | undefined {
  if (state.phase === 'queued') return undefined;
  if (state.phase === 'ended') {
    const { inputId, sessionId, resultKey, outcome, timings, rollout } = state.end;
    const unbegun = { inputId, sessionId, outcome };
    return withMethods(
      { index, sessionId, resultKey, outcome, timings },
      { trajectory: () => trajectoryOf(rollout ?? unbegun) },
    );
  }
  const { rollout } = state;
  if (rollout === undefined) return undefined;
  const { sessionId, resultKey } = rollout.request;
  return withMethods(
    { index, sessionId, resultKey, outcome: undefined, timings: rollout.timings },
    { trajectory: () => trajectoryOf(rollout) },
  );
}
