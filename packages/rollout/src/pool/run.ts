import type { RolloutEvent } from '../lifecycle/rollout-event.ts';

/** A batch or a run of groups, as its iterator drives it. */
export interface Run<Item> {
  /** Whether its source has ended and all its items were handed out. */
  readonly isComplete: boolean;
  begin(): void;
  /** The next item; undefined when the run is over and every session was stopped. */
  next(): Promise<Item | undefined>;
  /** Gives up everything outstanding; resolves when every session was told to stop. */
  stop(reason: unknown): Promise<void>;
  /** Told of what concerns the store or the runtime as a whole. */
  onSharedEvent(this: void, event: RolloutEvent): void;
}
