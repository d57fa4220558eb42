import type { JsonObject } from '@art/protocol';
import type { TrainingRow } from '../training-row.ts';

/** `POST /trajectories`. */
export interface TrajectoryCreate {
  session_id: string;
  /** Sampling parameters for calls that do not say otherwise. */
  sampling_defaults?: JsonObject;
  max_context_tokens?: number;
  max_turns?: number;
  /** Up to how many sampled tokens a turn may lose to a drift before the sequence forks. */
  fork_threshold_tokens?: number;
  rollout_id?: string;
  group_id?: string | null;
  metadata?: JsonObject;
}

/** Its answer, 201. */
export interface TrajectoryCreated {
  session_id: string;
  /** What the agent has to send as its key; null where the gateway asks for none. */
  api_key: string | null;
  /** For clients of OpenAI, `/v1` included. */
  base_url: string;
}

/** `GET /trajectories/{session_id}`. */
export interface TrajectoryStatus {
  session_id: string;
  state: 'open' | 'finishing' | 'finished';
  turns: number;
  /** Ends of the message tree: 1 for a conversation that never forked. */
  leaves: number;
  /** Calls under way. */
  in_flight: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Turns whose capture is not complete, and which do not train. */
  incomplete_turns: number;
  rollout_id: string;
  group_id: string | null;
  /** Seconds since the Unix epoch. */
  created_at: number;
  metadata: JsonObject;
}

/** `POST /trajectories/{session_id}/finish`. The same rows come again if it is called again. */
export interface TrajectoryFinish {
  /** Goes to the last row. Absent or null: unknown, which is not 0. */
  reward?: number | null;
  /** Overrides what the trajectory was created with. */
  base?: { rollout_id?: string; group_id?: string | null };
  extra_metadata?: JsonObject;
  /** How long calls that are under way may go on. @default 5 */
  wait_timeout_s?: number;
}

/** Its answer. */
export interface TrajectoryFinished {
  session_id: string;
  records: readonly TrainingRow[];
}
