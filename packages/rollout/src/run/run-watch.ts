import type { Clock } from '@art/async';
import { type ArtError, type ErrorCode, rolloutOutcomeKinds, type RolloutOutcomeKind } from '@art/protocol';
import type { ItemAttempt } from '../items/item-attempt.ts';
import type { ItemKind } from '../items/item-state.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import { FailureWatch } from './failure-watch.ts';
import type { RunOptions } from './run-options.ts';
import { formatProgress, type RunPace, type RunProgress } from './run-progress.ts';

interface RunWatchDeps {
  clock: Clock;
  warn: (message: string) => void;
  /** How far the run is. */
  progress: () => RunProgress;
  /** The run is not worth going on with. */
  onFailure: (failure: ArtError) => void;
}

const outcomeCounts = (): Record<RolloutOutcomeKind, number> =>
  Object.fromEntries(rolloutOutcomeKinds.map((kind) => [kind, 0])) as Record<RolloutOutcomeKind, number>;

/** What is counted of a run, and what is told of it: events, progress, `ok` without a reward, failures that end it. */
export class RunWatch {
  readonly #options: RunOptions;
  readonly #deps: RunWatchDeps;
  readonly #failures: FailureWatch;
  readonly #startedMs: number;
  readonly #kinds: Record<ItemKind, number> = { complete: 0, degraded: 0, failed: 0 };
  readonly #outcomes = outcomeCounts();
  readonly #counts = { submitted: 0, done: 0, rewarded: 0, retried: 0, throttled: 0 };
  #settledItems = 0;
  #rewardSum = 0;
  #hasWarned = false;

  constructor(options: RunOptions, deps: RunWatchDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#failures = new FailureWatch(options.maxFailures);
    this.#startedMs = deps.clock.nowMs();
  }

  /** Whether nothing has shown yet that sessions can start. */
  get isUndecided(): boolean {
    return this.#failures.isUndecided;
  }

  /** Whether an error may be that of something which keeps every session from starting, and is mended before a resume. */
  mayBeForgiven(code: ErrorCode): boolean {
    return this.#failures.mayBeForgiven(code);
  }

  event(event: RolloutEvent): void {
    if (event.type === 'accepted' || event.type === 'adopted') this.#failures.started();
    this.#options.onEvent?.(event);
    if (event.type === 'settled') this.#judge(this.#failures.attemptEnded(event.outcome));
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
    if (last === undefined || outcome === undefined) return;
    if (outcome.kind === 'ok' && outcome.reward !== undefined) {
      this.#counts.rewarded += 1;
      this.#rewardSum += outcome.reward;
    }
    if (outcome.kind === 'ok' && outcome.rewardProblem !== undefined && !this.#hasWarned) {
      // Whoever forgot the reward forgot it everywhere.
      this.#hasWarned = true;
      this.#deps.warn(
        `Rollout ${last.item.index} (session ${last.sessionId}) is ok and has no reward. ${outcome.rewardProblem.message} This is said once a batch; \`outcome.rewardProblem\` has it for every item.`,
      );
    }
    this.#judge(this.#failures.rolloutEnded(outcome, last.sessionId !== ''));
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
      meanReward: rewarded === 0 ? undefined : this.#rewardSum / rewarded,
      limit,
      isPaused,
      elapsedMs: this.#deps.clock.nowMs() - this.#startedMs,
    };
  }

  #judge(failure: ArtError | undefined): void {
    if (failure !== undefined) this.#deps.onFailure(failure);
  }
}
