import type { RolloutOutcomeKind } from '@art/protocol';
import type { Conversation } from './conversation.ts';

/** A rollout that has ended, as its records have it: what exports are made of. Everything in it may be hostile. */
export interface RecordedRollout {
  /** Unique in its run. */
  id: string;
  /** Rollouts with the same one had the same input: they are a group. */
  inputId: string;
  outcome: RolloutOutcomeKind;
  /** Null where there is none, which is not 0. */
  reward: number | null;
  sessionId: string | null;
  /** Undefined where nobody could see the calls of the model: no gateway, or a transcript that is gone. */
  conversation: Conversation | undefined;
}
