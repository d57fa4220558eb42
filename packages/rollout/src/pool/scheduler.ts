import type { Attempt } from './attempt.ts';
import type { BatchProgress } from './batch-progress.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { Outbox } from './outbox.ts';
import type { RunParts } from './run-parts.ts';

/** What a scheduler shares with its pool. */
export interface SchedulerParts<Item> extends RunParts {
  outbox: Outbox<Item>;
  failures: FailureWatch;
}

/** Decides which attempts a pool makes, and gives each its purpose. What comes of them it puts into the outbox. */
export interface Scheduler {
  /** Whether there is room for what another attempt would bring. */
  readonly hasRoom: boolean;
  /**
   * The attempt to make next; undefined when there will be none.
   * @throws what the source fails with
   */
  next(): Promise<Attempt | undefined>;
  onProgress(progress: BatchProgress): void;
  /** Lets go of the source, without waiting for it. */
  close(): void;
  /**
   * No attempt will begin any more. May be told more than once.
   * @param handsOut true where all have ended: what is unfinished is handed out as it is. False: nothing is handed out any more.
   */
  ended?(handsOut: boolean): void;
}
