import type { RolloutOverrides } from './rollout-request.ts';

/** Ids and config of one rollout. */
export interface RolloutChoices {
  /** Dataset item. @default generated, sorting by time */
  inputId?: string | undefined;
  /** Names the machine; 33 to 256 characters. @default a random UUID */
  sessionId?: string | undefined;
  /** Fields of `_rollout` for this rollout; they win over the client's. */
  overrides?: RolloutOverrides | undefined;
}
