import type { RolloutOutcome } from '@art/protocol';
import type { Attempt } from '../items/attempt.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';

/** One rollout of a batch whose outcome is known: its last attempt, and all others. */
export interface BatchItem extends Attempt {
  /** Names the item in the run and in its journal: its `inputId` where the caller gave one, else its position. */
  id: string;
  /** Position of its payload in the data, from 0. */
  index: number;
  inputId: string;
  outcome: RolloutOutcome;
  /** All attempts in order; the last one is the one that counts. */
  attempts: readonly Attempt[];
  /**
   * Tells the run that the item has been dealt with; once this resolves it is never yielded again, by no process that has the journal.
   * Not enumerable, so that an item can be cloned and compared.
   * @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST`
   */
  acknowledge(): Promise<void>;
  /** Resolves once the session is gone, with the times up to there. Not enumerable. */
  finished(): Promise<RolloutTimings>;
}
