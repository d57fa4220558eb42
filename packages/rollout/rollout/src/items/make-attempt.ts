import type { PastRollout, RunLog } from '@art/journal';
import { ArtError, describeThrown } from '@art/ground';
import type { ActiveRollouts, RolloutStart } from '../active/active-rollouts.ts';
import { isLeftAlone, outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
import type { RolloutDeps, RolloutListener } from '../lifecycle/rollout-deps.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { adoptRollout, type Adoption } from '../recording/adopt-rollout.ts';
import type { AttemptTransition } from './attempt-state.ts';
import type { ItemAttempt } from './item-attempt.ts';
import type { OpenItem } from './open-item.ts';
import { pastEnd, unwatchedTimings } from './past-end.ts';

/** The dependencies of attempts. */
export interface AttemptDeps extends RolloutDeps {
  active: ActiveRollouts;
  /** The run in its journal, where it has one. */
  runLog: RunLog | undefined;
  timeoutMs: number;
  /** When an item must have ended. */
  deadlineAtMs: (index: number) => number;
  /** Aborts when no further attempts are wanted, with an ArtError. */
  over: AbortSignal;
  onEvent: RolloutListener;
  /** An attempt may have left this process. */
  onLeaving: (attempt: ItemAttempt) => void;
}

/** The part of an item that an attempt needs. */
type AttemptItem = Pick<
  OpenItem<object>,
  'index' | 'input' | 'inputId' | 'attempts' | 'rewardOf' | 'choose' | 'workOf'
>;

/** A call after an attempt has been running for so long. */
interface AttemptHedge {
  afterMs: number;
  onSlow: () => void;
}

// A rollout whose deadline passed while no process watched still gets a look at the store.
const leastAdoptedTimeoutMs = 5_000;

/** Makes an attempt, once; resolves when it has ended or, where it was dropped meanwhile, when its rollout has. */
export function makeAttempt(
  item: AttemptItem,
  attempt: ItemAttempt,
  deps: AttemptDeps,
  hedge: AttemptHedge | undefined,
): Promise<void> {
  const { state } = attempt;
  const past = state.phase === 'queued' ? state.past : undefined;
  attempt.advance({ type: 'begun' });
  const watch = (mostMs: number | undefined): Promise<void> => {
    const { rollout } = attempt;
    if (rollout === undefined || mostMs === undefined) return Promise.resolve();
    const leftMs = Math.max(1, Math.min(mostMs, deps.deadlineAtMs(item.index) - deps.clock.epochMs()));
    return watchAttempt(attempt, rollout, setTimers(rollout, leftMs, deps, hedge));
  };
  return past === undefined
    ? watch(begin(item, attempt, deps))
    : adopt(past, item, attempt, deps).then(watch);
}

async function watchAttempt(
  attempt: ItemAttempt,
  { settled }: Rollout,
  cancelTimers: () => void,
): Promise<void> {
  const outcome = await settled;
  cancelTimers();
  attempt.advance({ type: 'settled', outcome });
}

function setTimers(
  rollout: Rollout,
  leftMs: number,
  { clock, timeoutMs }: AttemptDeps,
  hedge: AttemptHedge | undefined,
): () => void {
  // One that an earlier process submitted is as slow as it is.
  const spentMs = Math.max(0, clock.epochMs() - rollout.timings.submittedAtMs);
  const wholeMs = Math.min(timeoutMs, Math.round(spentMs + leftMs));
  const cancelDeadline = clock.after(leftMs, () => rollout.expire(wholeMs));
  if (hedge === undefined) return cancelDeadline;
  return inTurn(cancelDeadline, clock.after(Math.max(0, hedge.afterMs - spentMs), hedge.onSlow));
}

function inTurn(...calls: readonly (() => void)[]): () => void {
  return () => {
    for (const call of calls) call();
  };
}

/** @returns how much time the attempt has; undefined where it could not be sent */
function begin(item: AttemptItem, attempt: ItemAttempt, deps: AttemptDeps): number | undefined {
  try {
    const choices = item.choose(attempt);
    const recorder = deps.runLog?.newRollout(item.workOf(attempt));
    start(item, attempt, deps, { choices, recorder });
    return deps.timeoutMs;
  } catch (error) {
    attempt.advance(refusal(item, item.inputId, error, deps));
    return undefined;
  }
}

/** @returns how much time the attempt has; undefined where it is over */
async function adopt(
  past: PastRollout,
  item: AttemptItem,
  attempt: ItemAttempt,
  deps: AttemptDeps,
): Promise<number | undefined> {
  const { active, runLog, clock, timeoutMs } = deps;
  const adoption = await adoptionOf(past, deps);
  if (adoption.kind !== 'goes_on') {
    if (!isLeftAlone(adoption.outcome)) active.dropCapture(past.sessionId);
    attempt.advance(pastEnd(past, adoption.outcome, clock.epochMs(), adoption.kind === 'recalled'));
    return undefined;
  }
  const { beginning } = adoption;
  // It is not known whether a rollout that is sent again has begun, so it gets its full time.
  const spentMs = beginning.kind === 'accepted' ? clock.epochMs() - past.submittedAtMs : 0;
  try {
    const { overrides } = beginning.kind === 'unsure' ? item.choose(attempt) : {};
    start(item, attempt, deps, { choices: { overrides }, past, beginning, recorder: runLog!.adopt(past) });
    return Math.max(leastAdoptedTimeoutMs, Math.min(timeoutMs, timeoutMs - spentMs));
  } catch (error) {
    attempt.advance(refusal(item, past.inputId, error, deps));
    return undefined;
  }
}

function start(
  item: AttemptItem,
  attempt: ItemAttempt,
  { active, onEvent, onLeaving }: AttemptDeps,
  own: Pick<RolloutStart, 'choices' | 'past' | 'beginning' | 'recorder'>,
): void {
  const { input: payload, rewardOf } = item;
  const first = item.attempts.find((made) => made.member === attempt.member && made.rollout !== undefined);
  const retryOf = first?.rollout?.traceContext;
  const about = { payload, ...attempt.place, rewardOf, retryOf };
  const rollout = active.start({ ...about, onEvent, onLeaving: () => onLeaving(attempt), ...own });
  attempt.advance({ type: 'started', rollout });
}

/** Until it is known how far the attempt came, an end of the run is all there is to tell. */
async function adoptionOf(past: PastRollout, deps: AttemptDeps): Promise<Adoption> {
  const { over } = deps;
  try {
    const adoption = await adoptRollout(past, deps.runLog!, deps, over);
    over.throwIfAborted();
    return adoption;
  } catch (error) {
    if (!over.aborted) throw error;
    const reason = over.reason as ArtError;
    const kind = reason.code === 'ART_ROLLOUT_TIMEOUT' ? 'timeout' : 'cancelled';
    return { kind: 'over', outcome: { kind, error: reason } };
  }
}

function refusal(
  { index }: AttemptItem,
  inputId: string,
  error: unknown,
  { clock }: AttemptDeps,
): AttemptTransition {
  const asArtError = ArtError.isInstance(error)
    ? error
    : new ArtError({
        code: 'ART_INVALID_PAYLOAD',
        message: `Payload ${index} could not be prepared: ${describeThrown(error).message}`,
        cause: error,
      });
  const timings = unwatchedTimings(clock.epochMs(), 0);
  const facts = { inputId, sessionId: '', invocationId: undefined, resultKey: undefined, timings };
  return { type: 'unrun', facts, outcome: outcomeOfFailure(asArtError), isRecalled: false };
}
