import type { Clock } from '@art/async';
import type { ArtError } from '@art/protocol';
import type { ItemAttempt } from '../items/item-attempt.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import { FailureWatch } from './failure-watch.ts';
import type { RunOptions } from './run-options.ts';
import { formatProgress, RunProgressCounter, type RunProgress } from './run-progress.ts';

interface RunWatchDeps {
  clock: Clock;
  warn: (message: string) => void;
  /** How far the run is. */
  progress: () => RunProgress;
  /** The run is not worth going on with. */
  onFailure: (failure: ArtError) => void;
}

/** What is counted and told of a run: its progress, its failures, and `ok` without a reward. */
export class RunWatch {
  readonly counter: RunProgressCounter;
  readonly failures: FailureWatch;
  readonly #options: RunOptions;
  readonly #deps: RunWatchDeps;
  #hasWarned = false;

  constructor(options: RunOptions, deps: RunWatchDeps) {
    this.#options = options;
    this.#deps = deps;
    this.counter = new RunProgressCounter(deps.clock);
    this.failures = new FailureWatch(options.maxFailures);
  }

  event(event: RolloutEvent): void {
    if (event.type === 'accepted' || event.type === 'adopted') this.failures.started();
    this.#options.onEvent?.(event);
    if (event.type === 'settled') this.#judge(this.failures.attemptEnded(event.outcome));
  }

  attemptBegun({ number }: ItemAttempt, isFirst: boolean): void {
    if (number > 0) this.counter.add('retried');
    if (isFirst) this.counter.add('submitted');
  }

  attemptEnded({ rollout }: ItemAttempt): void {
    this.counter.add('throttled', rollout?.throttled);
  }

  /** @param last the attempt that decided; undefined where the rollout was no longer needed */
  rolloutSettled(last: ItemAttempt | undefined): void {
    const result = last?.result;
    this.counter.rolloutSettled(result?.outcome ?? { kind: 'cancelled' });
    if (result === undefined) return;
    const { outcome, sessionId, resultKey } = result;
    if (outcome.kind === 'ok' && outcome.rewardProblem !== undefined && !this.#hasWarned) {
      // Whoever forgot the reward forgot it everywhere.
      this.#hasWarned = true;
      this.#deps.warn(
        `Rollout ${last!.item.index} (session ${sessionId}) is ok and has no reward. ${outcome.rewardProblem.message} This is said once a batch; \`outcome.rewardProblem\` has it for every item.`,
      );
    }
    this.#judge(this.failures.rolloutEnded(outcome, resultKey !== undefined));
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

  #judge(failure: ArtError | undefined): void {
    if (failure !== undefined) this.#deps.onFailure(failure);
  }
}
