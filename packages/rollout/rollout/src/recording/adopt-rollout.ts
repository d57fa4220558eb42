import { growingPauseMs, retryPatiently, ArtError } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { PastRollout, RunLog } from '@art/journal';
import { isFailedStart } from '../lifecycle/outcome-of-failure.ts';
import type { ReadResult } from '../lifecycle/result-source.ts';
import type { RolloutDeps } from '../lifecycle/rollout-deps.ts';
import type { RolloutBeginning } from '../lifecycle/rollout-state.ts';

/** The treatment of a rollout that an earlier process left behind. */
export type Adoption =
  /** It continues, with the ids that it has. */
  | { kind: 'goes_on'; beginning: RolloutBeginning }
  /** It has ended without a document. */
  | { kind: 'over'; outcome: EndWithoutDocument }
  /** It is not known how far it came, or it was cancelled: its session was stopped, and another attempt is due. */
  | { kind: 'recalled'; outcome: EndWithoutDocument };

type EndWithoutDocument = Exclude<RolloutOutcome, { kind: 'ok' | 'agent_error' | 'infra_error' }>;

const findPauses = { firstMs: 500, longestMs: 10_000 };

/**
 * Finds out what becomes of a rollout that an earlier process left behind. A store comes first: a result that landed
 * meanwhile counts, whatever the journal says. Then, where the journal says that
 * - the agent had accepted: it is waited for.
 * - it ended without a document: that stands. What was called off, or never started, is done again, and so is what a ceiling of the run cut off, and what
 *   ended with a result that went with its session.
 * - it was about to be sent: nobody knows whether it was. An agent that runs no attempt twice gets it again. Any other would
 *   run it twice: its session is stopped, and another attempt is due in a new one.
 * @throws the signal's reason when aborted
 */
export async function adoptRollout(
  past: PastRollout,
  runLog: RunLog,
  deps: RolloutDeps,
  signal: AbortSignal,
): Promise<Adoption> {
  const { state, submittedAtMs } = past;
  if (state.phase === 'accepted') {
    // It is looked for among all others: at the price of a listing, or of one question.
    const { speaksRip } = state;
    return { kind: 'goes_on', beginning: { kind: 'accepted', submittedAtMs, speaksRip } };
  }
  // The session of one that was seen to end is cleared away with all others of its kind.
  const hasSession = state.phase !== 'settled';
  const ready = async (): Promise<Adoption | undefined> => {
    const read = await find(past, deps, signal);
    return read && { kind: 'goes_on', beginning: { kind: 'ready', submittedAtMs, hasSession, read } };
  };
  // What its agent made of a refused call is no answer.
  if (state.phase === 'settled' && state.errorCode === 'ART_RUN_CEILING_REACHED')
    return { kind: 'recalled', outcome: { kind: 'cancelled', error: recordedError(past) } };
  const landed = await ready();
  if (landed !== undefined) return landed;
  if (state.phase === 'intended') {
    if (runLog.history.agentSpeaksRip === true)
      return { kind: 'goes_on', beginning: { kind: 'unsure', submittedAtMs } };
    const { kind } = await deps.stops.stop(past.sessionId);
    runLog.rollout(past.rollout).stopped(kind);
    // It may have finished while the question was on its way.
    const finished = await ready();
    if (finished !== undefined) return finished;
    const outcome = recalledError(past);
    // Written down, so that the next process need not find it out again.
    runLog.adopt(past).settled(outcome, true);
    return { kind: 'recalled', outcome };
  }
  const error = recordedError(past);
  switch (state.outcome) {
    case 'infra_error':
      // With a document where the agent said so, without one where the store failed.
      if (state.errorCode !== 'ART_INFRASTRUCTURE_ERROR')
        return { kind: 'over', outcome: { kind: 'infra_error', error } };
      return withoutItsDocument(past, deps);
    case 'ok':
    case 'agent_error':
    case 'invalid_result':
      return withoutItsDocument(past, deps);
    case 'cancelled':
      return { kind: 'recalled', outcome: { kind: 'cancelled', error } };
    case 'ceiling':
    case 'lost':
    case 'rejected':
    case 'timeout':
    case 'throttled': {
      // Where nothing was begun anyone who resumes has mended what kept it from beginning.
      const kind = isFailedStart(state.errorCode) ? 'recalled' : 'over';
      return { kind, outcome: { kind: state.outcome, error } };
    }
  }
}

function withoutItsDocument(past: PastRollout, { source }: RolloutDeps): Adoption {
  return source.outlivesSessions
    ? { kind: 'over', outcome: { kind: 'lost', error: forgottenError(past) } }
    : { kind: 'recalled', outcome: goneError(past) };
}

// Nothing may be decided before the store has answered: what is not looked for may run twice.
function find(
  past: PastRollout,
  { source, clock }: RolloutDeps,
  signal: AbortSignal,
): Promise<ReadResult | undefined> {
  return retryPatiently(() => source.find(past, signal), {
    isRetryable: () => true,
    pauseMs: (failures) => growingPauseMs(failures, findPauses),
    signal,
    clock,
  });
}

function recalledError({ sessionId }: PastRollout): { kind: 'cancelled'; error: ArtError } {
  const error = new ArtError({
    code: 'ART_ROLLOUT_CANCELLED',
    message: `An earlier process may or may not have sent this attempt before it died, and its agent cannot tell a repeat from a new job. Session ${sessionId} was stopped and another attempt made.`,
  });
  return { kind: 'cancelled', error };
}

function goneError({ sessionId }: PastRollout): { kind: 'cancelled'; error: ArtError } {
  const error = new ArtError({
    code: 'ART_ROLLOUT_CANCELLED',
    message: `An earlier process read the result of session ${sessionId} and died before it was acknowledged; with its session the result is gone. Another attempt is made. A client with a bucket would find it again.`,
  });
  return { kind: 'cancelled', error };
}

/** The error of a rollout that an earlier process saw end. Its words were not kept, for they may have quoted a secret. */
export function recordedError({ sessionId, state }: PastRollout): ArtError {
  const code = (state.phase === 'settled' ? state.errorCode : undefined) ?? 'ART_ROLLOUT_CANCELLED';
  return new ArtError({
    code,
    message: `An earlier process saw this rollout end with ${code}. The journal keeps no more of it; the log of session ${sessionId} may.`,
  });
}

function forgottenError({ resultKey, bucket }: PastRollout): ArtError {
  return new ArtError({
    code: 'ART_ROLLOUT_LOST',
    message: `An earlier process read the result ${JSON.stringify(resultKey)} in bucket ${JSON.stringify(bucket)}, and now it is gone. Does anything delete from the store?`,
  });
}
