import type { RolloutOutcome } from '@art/protocol';
import type { RolloutTrajectory } from '../gateway/rollout-trajectory.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';

/** One attempt at a rollout, in its own session. */
export interface Attempt {
  /** Its number among the attempts at the rollout, from 0. */
  attempt: number;
  /** Empty where the payload could not be sent at all. */
  sessionId: string;
  /** Names the run of the handler, by which an agent that speaks RIP can be asked for it. Undefined where nothing was sent. */
  invocationId: string | undefined;
  /**
   * Undefined where nothing was sent, and where results come from sessions. A document that is stored late lies under the key of its own
   * attempt.
   */
  resultKey: string | undefined;
  /**
   * Undefined while it is not known, and where the attempt was stopped before because its group no longer needed it. Of an attempt of an
   * earlier process the journal keeps the kind and the code of the error.
   */
  outcome: RolloutOutcome | undefined;
  timings: RolloutTimings;
  /** How often the service answered "too many requests". */
  throttled: number;
  /** How often a call was sent again within the attempt. */
  resent: number;
  /**
   * The samples of the attempt from the client's gateway, joined with reward and outcome. An attempt that failed has no
   * rows. Not enumerable.
   * @throws ArtError `ART_INVALID_OPTION` without a gateway; GatewayError if the gateway could not be asked: a repeated
   * call gets the same answer
   */
  trajectory(): Promise<RolloutTrajectory>;
}

/** Which attempt of which item; positions and numbers from 0. */
export interface AttemptPlace {
  /** Position of its item in the data. */
  index: number;
  /** Its number among the rollouts of the item; 0 in a batch. */
  member: number;
  /** 0 for the first attempt of a member, 1 for its first retry or hedge. */
  attempt: number;
}

/** An attempt that is under way. */
export interface ActiveAttempt extends AttemptPlace, Pick<Attempt, 'sessionId' | 'timings'> {
  /** Id of its item. */
  id: string;
}
