import type { JsonObject } from '@art/protocol';
import type { TrainingRow } from '@art/trajectories';

/** `POST /trajectories`. */
export interface TrajectoryCreate {
  session_id: string;
  /** Sampling parameters for calls that do not say otherwise. */
  sampling_defaults?: JsonObject;
  max_context_tokens?: number;
  max_turns?: number;
  /** How turns become rows; see the page on the gateway's routes. */
  mode?: 'exact' | 'reference';
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
  /** As when it was created. */
  api_key?: string | null;
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
  max_turns?: number | null;
  max_context_tokens?: number | null;
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
  /** Shape of the records. @default 'records', the common row */
  format?: 'records' | 'rows' | 'slime' | 'verl' | 'rllm' | 'trl' | 'prime' | 'tinker' | 'traces';
  /** prime-rl's name of the environment. @default 'art' */
  env_name?: string;
}

/** What a finished trajectory is made of, and what of it does not train. */
export interface TrajectorySummary {
  /** Answers in all, whether they train or not. */
  turns: number;
  /** Conversations that go on from no other one. */
  roots: number;
  leaves: number;
  sampled_tokens: number;
  trained_tokens: number;
  masked_turns: readonly { trace_id: string; reason: string; problems: readonly string[] }[];
  /** Rows that were left out, as nothing in them trains. */
  dropped_rows: number;
  /** Calls that were still under way when the wait for them ended. */
  unfinished_calls: number;
}

/** Its answer. */
export interface TrajectoryFinished {
  session_id: string;
  records: readonly TrainingRow[];
  summary?: TrajectorySummary;
}
