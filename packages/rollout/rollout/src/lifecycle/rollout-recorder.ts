import type { RolloutOutcome } from '@art/protocol';
import type { RolloutAddress } from '../request/rollout-request.ts';
import type { StopResult } from './session-stops.ts';

/** Where the steps of one rollout are written down. */
export interface RolloutRecorder {
  /**
   * Resolves when it is written down for good that the rollout is about to be sent.
   * @throws ArtError when it cannot be; the rollout is not sent then.
   */
  intended(address: RolloutAddress): Promise<void>;
  /** @param speaksRip whether the agent runs no attempt twice and can be asked for it. */
  accepted(speaksRip: boolean): void;
  /** @param hasSession whether there is a session to be stopped. */
  settled(outcome: RolloutOutcome, hasSession: boolean): void;
  stopped(result: StopResult['kind']): void;
}
