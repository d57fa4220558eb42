import type { BatchItem, BatchProgress, RolloutEvent } from '@art/client';
import { FirstOfKind } from '../terminal/first-of-kind.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';

/** What is said of a run of rollouts while it goes on: how far it is, the first error of each kind, trouble with the store. */
export class RunReporter {
  readonly #runId: string;
  readonly #line: ProgressLine;
  readonly #counts: { total: number; earlier: number };
  readonly #first = new FirstOfKind();

  /** @param counts items in all, and those that earlier processes dealt with */
  constructor(runId: string, line: ProgressLine, counts: { total: number; earlier: number }) {
    this.#runId = runId;
    this.#line = line;
    this.#counts = counts;
  }

  /**
   * "run-7: 120 of 1000 done, 64 active, 100 ok, 20 timeout, mean reward 0.500 over 100 of 120"
   * @param done rollouts, or groups, that this process has seen the end of
   */
  progress(done: number, rollouts: BatchProgress): void {
    const { total, earlier } = this.#counts;
    const { active, outcomes, meanReward, rewarded, done: settled } = rollouts;
    const parts = [`${this.#runId}: ${earlier + done} of ${total} done`, `${active} active`];
    for (const [kind, count] of Object.entries(outcomes)) if (count > 0) parts.push(`${count} ${kind}`);
    if (meanReward !== undefined)
      parts.push(`mean reward ${meanReward.toPrecision(3)} over ${rewarded} of ${settled}`);
    this.#line.show(parts.join(', '));
  }

  /** Of an event what is worth a line of its own. */
  event(event: RolloutEvent): void {
    switch (event.type) {
      case 'store_trouble':
        return this.#line.note(
          `The store does not answer: ${event.error instanceof Error ? event.error.message : String(event.error)}`,
        );
      case 'store_recovered':
        return this.#line.note('The store answers again.');
      case 'quota_paused':
        return this.#line.note('There is no room for another session (402); waiting for one to end.');
      case 'settled':
        // Also of an attempt that is tried again.
        return this.item(event);
      default:
    }
  }

  /** What was never sent has no events. */
  item({ outcome, index, sessionId }: Pick<BatchItem, 'outcome' | 'index' | 'sessionId'>): void {
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled') return;
    const told = this.#first.of(outcome.kind, outcome.error, `rollout ${index}`, sessionId);
    if (told !== undefined) this.#line.note(told);
  }
}
