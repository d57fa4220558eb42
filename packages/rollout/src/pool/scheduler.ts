import type { Clock } from '@art/async';
import type { RunSession } from '@art/journal';
import type { Attempt, AttemptEnd, AttemptPlanner } from './attempt.ts';
import type { BatchProgress } from './batch-progress.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { Outbox } from './outbox.ts';

/** What a scheduler shares with its pool. */
export interface SchedulerParts<Item> {
  clock: Clock;
  /** Of input ids that the caller does not choose. */
  inputIdPrefix: string;
  /** The run in its journal, where it has one. */
  session: RunSession | undefined;
  outbox: Outbox<Item>;
  failures: FailureWatch;
}

/** Decides which attempts a pool makes, and turns their ends into what the consumer gets. */
export interface Scheduler<Plan> extends AttemptPlanner<Plan> {
  /** Whether there is room for what another attempt would bring. */
  readonly hasRoom: boolean;
  /**
   * The attempt to make next; undefined when there will be none.
   * @param isIdle whether none is under way
   * @throws what the source fails with
   */
  next(isIdle: boolean): Promise<Attempt<Plan> | undefined>;
  /** After which pause another attempt is due in the place of one that has ended; undefined where none is. */
  retryAfterMs(attempt: Attempt<Plan>, end: AttemptEnd): number | undefined;
  /** The pause is over: makes the attempt ready to begin once more. */
  renew(attempt: Attempt<Plan>, end: AttemptEnd): void;
  /** An attempt has ended, and none follows in its place. */
  settled(attempt: Attempt<Plan>, end: AttemptEnd): void;
  /** A session has started, or it is certain that this does not matter: nothing needs to be held back any more. */
  release?(): void;
  onProgress(progress: BatchProgress): void;
  /** Lets go of the source, without waiting for it. */
  close(): void;
  /** Every attempt has ended, and no other will begin. May be told more than once. */
  drained?(): void;
  /** The run is stopped: nothing more is handed out. */
  abandon?(): void;
}
