import { type Clock, ArtError, type ErrorCode, joinSentences } from '@art/ground';
import { type RewardProblem, type RolloutOutcome, rolloutOutcomeKinds } from '@art/protocol';
import type { ItemAttempt } from '../items/item-attempt.ts';
import type { ItemKind } from '../items/item-state.ts';
import { isFailedStart } from '../lifecycle/outcome-of-failure.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { RunOptions } from './run-options.ts';
import { formatProgress, type RunPace, type RunProgress } from './run-progress.ts';

interface RunWatchDeps {
  clock: Clock;
  warn: (message: string) => void;
  /** How far the run is. */
  progress: () => RunProgress;
  /** The run is not worth continuing with. */
  onFailure: (failure: ArtError) => void;
}

type Failure = Exclude<RolloutOutcome, { kind: 'ok' }>;

const failedStartsToEnd = 5;
// After so many failures without a common reason, none is looked for any more.
const failedStartsToGoOn = 20;
// One failure among the first two would be half of them.
const fewestForShare = 20;

/**
 * Counts and reports the progress of a run. Decides when the run should not continue: when more rollouts fail than its
 * caller allows, or when its first sessions all fail to start for one reason.
 */
export class RunWatch {
  readonly #options: RunOptions;
  readonly #deps: RunWatchDeps;
  readonly #startedMs: number;
  readonly #kinds: Record<ItemKind, number> = { complete: 0, degraded: 0, failed: 0 };
  readonly #outcomes = zeroOf(rolloutOutcomeKinds);
  readonly #unrewarded = zeroOf(['absent', 'empty', 'not_a_number', 'not_finite']);
  readonly #counts = { submitted: 0, done: 0, rewarded: 0, retried: 0, throttled: 0 };
  /** By their reasons. */
  readonly #failedStarts = new Map<string, number>();
  #failedStartCount = 0;
  /** Sessions can start, or it does not matter whether they can. */
  #canStart: boolean;
  #settledItems = 0;
  #rewardSum = 0;
  #hasWarned = false;

  constructor(options: RunOptions, deps: RunWatchDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#canStart = options.maxFailures === Number.POSITIVE_INFINITY;
    this.#startedMs = deps.clock.nowMs();
  }

  /** True if nothing has shown yet that sessions can start. */
  get isUndecided(): boolean {
    return !this.#canStart;
  }

  /** True if an error may have a cause that keeps every session from starting and can be mended before a resume. */
  mayBeForgiven(code: ErrorCode): boolean {
    return this.isUndecided && isFailedStart(code);
  }

  event(event: RolloutEvent): void {
    if (event.type === 'accepted' || event.type === 'adopted') this.#canStart = true;
    this.#options.onEvent?.(event);
    if (event.type !== 'settled' || event.outcome.kind === 'ok') return;
    if (isFailedStart(event.outcome.error.code)) this.#countFailedStart(event.outcome);
  }

  /** @param isFirst whether it is the first that this process makes for its rollout */
  attemptBegun({ number }: ItemAttempt, isFirst: boolean): void {
    if (number > 0) this.#counts.retried += 1;
    if (isFirst) this.#counts.submitted += 1;
  }

  attemptEnded({ rollout }: ItemAttempt): void {
    this.#counts.throttled += rollout?.throttled ?? 0;
  }

  /** @param last the attempt that decided; undefined where the rollout was no longer needed */
  rolloutSettled(last: ItemAttempt | undefined): void {
    const outcome = last?.outcome;
    this.#counts.done += 1;
    this.#outcomes[outcome?.kind ?? 'cancelled'] += 1;
    if (last === undefined || outcome === undefined || outcome.kind === 'cancelled') return;
    if (outcome.kind !== 'ok') return this.#countFailure(outcome, last.sessionId !== '');
    if (outcome.reward !== undefined) {
      this.#counts.rewarded += 1;
      this.#rewardSum += outcome.reward;
    }
    if (outcome.rewardProblem !== undefined) this.#countUnrewarded(outcome.rewardProblem, last);
  }

  itemSettled(kind: ItemKind): void {
    this.#settledItems += 1;
    this.#kinds[kind] += 1;
  }

  changed(): void {
    this.#options.onProgress?.(this.#deps.progress());
  }

  /** Writes how far the run is, every so often. @param over ends it */
  log(runId: string | undefined, over: AbortSignal): void {
    const { logIntervalMs } = this.#options;
    if (logIntervalMs === undefined || over.aborted) return;
    const cancel = this.#deps.clock.after(logIntervalMs, () => {
      over.removeEventListener('abort', cancel);
      const name = runId === undefined ? '' : `${runId}: `;
      process.stderr.write(`${name}${formatProgress(this.#deps.progress())}\n`);
      this.log(runId, over);
    });
    over.addEventListener('abort', cancel, { once: true });
  }

  snapshot(
    items: Pick<RunProgress['items'], 'total' | 'earlier' | 'active'>,
    { limit, isPaused }: RunPace,
  ): RunProgress {
    const { submitted, done, rewarded } = this.#counts;
    return {
      items: { ...items, settled: this.#settledItems, kinds: { ...this.#kinds } },
      ...this.#counts,
      active: submitted - done,
      outcomes: { ...this.#outcomes },
      unrewarded: { ...this.#unrewarded },
      meanReward: rewarded === 0 ? undefined : this.#rewardSum / rewarded,
      limit,
      isPaused,
      elapsedMs: this.#deps.clock.nowMs() - this.#startedMs,
    };
  }

  #countUnrewarded({ kind, message }: RewardProblem, { item, sessionId }: ItemAttempt): void {
    this.#unrewarded[kind] += 1;
    if (this.#hasWarned || this.#options.isJudged === true) return;
    // An agent without a reward has none in any rollout.
    this.#hasWarned = true;
    this.#deps.warn(
      `Rollout ${item.index} (session ${sessionId}) is ok and has no reward of its own. ${message} This is said once a batch; \`outcome.rewardProblem\` has it for every item.`,
    );
  }

  #countFailure(outcome: Failure, wasSent: boolean): void {
    // What may pass, such as a network that is down, counts when the retries are used up; a lack of room never does.
    const mayPass = wasSent && outcome.kind !== 'throttled' && !isFailedStart(outcome.error.code);
    if (mayPass) this.#countFailedStart(outcome);
    const { maxFailures: most } = this.#options;
    if (most === undefined) return;
    const settled = this.#counts.done - this.#outcomes.cancelled;
    const failed = settled - this.#outcomes.ok;
    const isShare = most > 0 && most < 1;
    if ((isShare && settled < fewestForShare) || failed <= (isShare ? most * settled : most)) return;
    const { error } = outcome;
    this.#end(
      `${failed} of ${settled} rollouts failed, more than maxFailures ${most} allows. The last one: ${error.code}: ${error.message}`,
      'Mend it and run again, or resume from the journal',
      error,
    );
  }

  #countFailedStart({ error }: Failure): void {
    if (this.#canStart) return;
    const reason = `${error.code} ${withoutIds(error.message)}`;
    const count = (this.#failedStarts.get(reason) ?? 0) + 1;
    this.#failedStarts.set(reason, count);
    this.#failedStartCount += 1;
    if (count >= failedStartsToEnd) {
      this.#end(
        `its first ${failedStartsToEnd} sessions all failed for one reason. ${error.code}: ${error.message}`,
        'Mend it and run again, or resume from the journal. With maxFailures Infinity a run continues whatever fails',
        error,
      );
    } else if (this.#failedStartCount >= failedStartsToGoOn) this.#canStart = true;
  }

  #end(reason: string, advice: string, cause: ArtError): void {
    const message = joinSentences(`The run was ended: ${reason}`, advice);
    this.#deps.onFailure(new ArtError({ code: 'ART_TOO_MANY_FAILURES', message, cause }));
  }
}

function zeroOf<Kind extends string>(kinds: readonly Kind[]): Record<Kind, number> {
  return Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
}

/** Session and request ids differ from one session to the next, and so do numbers; the reason does not. */
function withoutIds(message: string): string {
  return message.replace(/[\w-]{32,}|\d+/g, '#');
}
