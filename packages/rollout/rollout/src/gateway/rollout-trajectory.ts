import type { TrainingRow } from '@art/trajectories';
import type { RolloutOutcome } from '@art/protocol';

/** The gateway's summary of a rollout's model calls. */
export interface CaptureSummary {
  /** Answers in all, whether they train or not. */
  turns: number;
  /** Number of answers that reached the agent completely; undefined with gateways that do not report it. */
  answeredTurns: number | undefined;
  /** Number of answers to calls that were made while another one was open. */
  parallelTurns: number | undefined;
  /** Tokens that were sampled, and those of them that train in the rows. */
  sampledTokens: number;
  trainedTokens: number;
  /** Answers that do not train, and why: an incomplete capture, or one that the agent abandoned. */
  maskedTurns: readonly { captureId: string; reason: string; problems: readonly string[] }[];
  /** Calls that were still under way when the wait for them ended; what they bring is not in the rows. */
  unfinishedCalls: number;
  /** Calls that brought an error instead of an answer, or broke off in it; undefined where the gateway does not know. */
  failedCalls: number | undefined;
}

/** The data of a rollout that a trainer trains on: its samples, its outcome and its reward. */
export interface RolloutTrajectory {
  /** The session id, the same at the agent and at the gateway; `rollout_id` of the rows. */
  sessionId: string;
  /** Input id of the rollout; `group_id` of the rows. */
  groupId: string;
  outcome: RolloutOutcome;
  /** The reward in the rows; undefined if the rollout has none, which is not 0. */
  reward: number | undefined;
  /** Empty where the rollout failed, and where nothing was captured that trains. */
  rows: readonly TrainingRow[];
  /** Undefined where the rollout failed, so that its capture was dropped, and with gateways that do not say. */
  summary: CaptureSummary | undefined;
}
