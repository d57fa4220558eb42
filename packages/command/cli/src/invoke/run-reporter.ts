import { describeThrown } from '@art/ground';
import { formatProgress, type BatchItem, type RolloutEvent, type RunProgress } from '@art/client';
import type { OutputStream } from '../cli-context.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

/** Reports a run of rollouts while it continues: progress, the first error of each kind, trouble with the store. */
export class RunReporter {
  readonly runId: string;
  readonly #line: ProgressLine;

  constructor(runId: string, stderr: OutputStream) {
    this.runId = runId;
    this.#line = new ProgressLine(stderr);
  }

  /** Writes a line that stays. */
  note(text: string): void {
    this.#line.note(text);
  }

  /** Takes the line away that changes. */
  clear(): void {
    this.#line.clear();
  }

  /** "run-7: 120 of 1000 done, 64 active, 100 ok, 20 timeout, mean reward 0.500 over 100 of 120" */
  progress(progress: RunProgress): void {
    this.#line.show(`${this.runId}: ${formatProgress(progress)}`);
  }

  /** Writes a line for an event that needs one. */
  event(event: RolloutEvent): void {
    switch (event.type) {
      case 'store_trouble':
        return this.#line.note(`The store does not answer: ${describeThrown(event.error).message}`);
      case 'store_recovered':
        return this.#line.note('The store answers again.');
      case 'quota_paused':
        return this.#line.note('There is no room for another session (402); waiting for one to end.');
      case 'settled':
        // Also of an attempt that is tried again.
        return this.#noteFailure(event);
      default:
    }
  }

  /** Counts an item. One that was never sent has no events. */
  item(item: BatchItem): void {
    this.#noteFailure(item);
  }

  #noteFailure({ outcome, index, sessionId }: Pick<BatchItem, 'outcome' | 'index' | 'sessionId'>): void {
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled') return;
    this.#line.noteFirst(outcome.kind, outcome.error, `rollout ${index}`, sessionId);
  }
}
