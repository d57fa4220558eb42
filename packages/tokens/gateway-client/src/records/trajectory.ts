import type { JsonObject } from '@art/ground';
import type { ReachedCeiling, Spent } from '@art/protocol';

/** The answer to `POST /trajectories`. */
export interface TrajectoryCreated {
  session_id: string;
  /** Key that the agent has to send; null where the gateway asks for none. */
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
  /** The ceiling by which a call was refused. Older gateways do not say. */
  ceiling?: ReachedCeiling | null;
  /** Spending of its run, here and before; null without a ceiling of the run. */
  spent?: Spent | null;
  metadata: JsonObject;
}

/** Summary of a finished trajectory, and of the turns that do not train. */
export interface TrajectorySummaryRecord {
  /** Answers in all, whether they train or not. */
  turns: number;
  /**
   * Turns that reached the agent as a whole, and those of them whose calls were made while another one was under way.
   */
  answered_turns?: number;
  parallel_turns?: number;
  /** Conversations that continue from no other one. */
  roots: number;
  leaves: number;
  sampled_tokens: number;
  trained_tokens: number;
  masked_turns: readonly { trace_id: string; reason: string; problems: readonly string[] }[];
  /** Turns that `trains` did not choose. Older gateways do not say. */
  not_chosen_turns?: number;
  /** Rows that were left out, as nothing in them trains. */
  dropped_rows: number;
  /** Calls that were still under way when the wait for them ended. */
  unfinished_calls: number;
  /** Calls that were refused as their prompt left no room for an answer. Older gateways do not say. */
  context_full?: number;
  /**
   * Calls that brought an error instead of an answer, or broke off in it, without those of a full context and those whose agent left.
   * Null where a part of the session was before the gateway has started; older gateways do not say.
   */
  failed_calls?: number | null;
  /** Calls whose agent left before their answer ended: it gave up, or was stopped. Null as `failed_calls`. */
  abandoned_calls?: number | null;
}
