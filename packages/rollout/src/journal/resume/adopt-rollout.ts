import { ArtError, type AgentRuntime } from '@art/protocol';
import { askStore } from '../../ask-store.ts';
import type { ResultStore } from '@art/store';
import type { Adoption } from '../../batch/batch-record.ts';
import { recordedError } from '../../batch/recorded-error.ts';
import type { Clock } from '../../clock.ts';
import { stopSession, type StopResult } from '../../lifecycle/stop-session.ts';
import { pause } from '../../pause.ts';
import type { PastRollout } from '../run/run-history.ts';

export interface AdoptRolloutParts {
  store: ResultStore;
  runtime: AgentRuntime;
  clock: Clock;
  stopTimeoutMs: number;
  warn: (message: string) => void;
  /** Whether the agents of the run tell repeats from new attempts; undefined where nobody knows. */
  agentAnswersState: boolean | undefined;
  /** Told of a session that had to be stopped. */
  onStopped: (past: PastRollout, result: StopResult['kind']) => void;
}

const firstRetryMs = 500;
const longestRetryMs = 10_000;

/**
 * Finds out what becomes of a rollout that an earlier process left behind. The store comes first: a result that landed
 * meanwhile counts, whatever the journal says. Then, where the journal says that
 * - the agent had accepted: it is waited for.
 * - it ended without a document: that stands. What was called off is done again.
 * - it was about to be sent: nobody knows whether it was. An agent that tells repeats apart gets it again. Any other would
 *   run it twice: its session is stopped, and another attempt is due in a new one.
 * @throws the signal's reason when aborted
 */
export async function adoptRollout(
  past: PastRollout,
  parts: AdoptRolloutParts,
  signal: AbortSignal,
): Promise<Adoption> {
  const { state, submittedAtMs } = past;
  if (state.phase === 'accepted') {
    // The watcher looks for it among all others, at the price of a listing.
    const { answersState } = state;
    return { kind: 'goes_on', beginning: { kind: 'accepted', submittedAtMs, answersState } };
  }
  // The session of one that was seen to end is cleared away with all others of its kind.
  const hasSession = state.phase !== 'settled';
  const stored: Adoption = { kind: 'goes_on', beginning: { kind: 'stored', submittedAtMs, hasSession } };
  if (await isStored(past, parts, signal)) return stored;
  if (state.phase === 'intended') {
    if (parts.agentAnswersState === true)
      return { kind: 'goes_on', beginning: { kind: 'unsure', submittedAtMs } };
    const { kind } = await stopSession(past.sessionId, parts);
    parts.onStopped(past, kind);
    // It may have finished while the question was on its way.
    return (await isStored(past, parts, signal)) ? stored : { kind: 'recalled', outcome: recalled(past) };
  }
  switch (state.outcome) {
    case 'ok':
    case 'agent_error':
    case 'infra_error':
    case 'invalid_result':
      return { kind: 'over', outcome: { kind: 'lost', error: forgotten(past) } };
    case 'cancelled':
      return { kind: 'recalled', outcome: { kind: 'cancelled', error: recordedError(past) } };
    case 'timeout':
    case 'lost':
    case 'throttled':
    case 'rejected':
      return { kind: 'over', outcome: { kind: state.outcome, error: recordedError(past) } };
  }
}

// Nothing may be decided before the store has answered: what is not looked for may run twice.
async function isStored(past: PastRollout, parts: AdoptRolloutParts, signal: AbortSignal): Promise<boolean> {
  const at = { bucket: past.bucket, key: past.resultKey };
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
    try {
      return await askStore((asked) => parts.store.exists(at, { signal: asked }), parts.clock, signal);
    } catch {
      signal.throwIfAborted();
    }
    await pause(parts.clock, retryMs, signal);
  }
}

function recalled({ sessionId }: PastRollout): { kind: 'cancelled'; error: ArtError } {
  const error = new ArtError({
    code: 'ART_ROLLOUT_CANCELLED',
    message: `An earlier process may or may not have sent this attempt before it died, and its agent cannot tell a repeat from a new job. Session ${sessionId} was stopped and another attempt made.`,
  });
  return { kind: 'cancelled', error };
}

function forgotten({ resultKey, bucket }: PastRollout): ArtError {
  return new ArtError({
    code: 'ART_ROLLOUT_LOST',
    message: `An earlier process read the result ${JSON.stringify(resultKey)} in bucket ${JSON.stringify(bucket)}, and now it is gone. Does anything delete from the store?`,
  });
}
