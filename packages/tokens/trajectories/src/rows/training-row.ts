/** One turn's share of a row: which of its response tokens were sampled by which call. Indices count response tokens. */
export interface TurnSpan {
  trace_id: string;
  start: number;
  /** Exclusive. */
  end: number;
  /** Place of the call's answer among all answers that the agent got in this rollout, from 0, whether they train or not. */
  turn?: number;
  temperature?: number;
  top_p?: number;
  /** Null where nobody said, or where it is one of a range. */
  weight_version?: number | null;
  /** The versions between which its tokens were sampled, where no more is known; `oldest` is null before the first one. */
  weight_version_range?: { oldest: number | null; newest: number };
  weight_versions?: readonly { version: string; start: number; end: number }[];
}

/**
 * One trainable sequence, as it goes over the wire and into files. `loss_mask` and `logprobs` cover the response: what
 * follows the first `prompt_length` tokens.
 */
export interface TrainingRow {
  schema: 'art.training-row.v1';
  row_id: string;
  session_id: string;
  rollout_id: string;
  group_id: string | null;
  /** Which row of its rollout, from 0, of how many. */
  row_index: number;
  row_count: number;
  /** True if it is the rollout's last row: where a reward that is given once belongs. */
  is_last: boolean;
  token_ids: readonly number[];
  prompt_length: number;
  /** 1 for a sampled token that is to be trained on. */
  loss_mask: readonly number[];
  /** 0.0 where the mask is 0; finite and <= 0 where it is 1. */
  logprobs: readonly number[];
  advantages?: readonly number[];
  reward: number | null;
  status: 'completed' | 'truncated' | 'aborted' | 'failed';
  finish_reason: string | null;
  num_turns: number;
  turn_spans: readonly TurnSpan[];
  routed_experts?: { data: string; encoding: string; shape?: readonly number[] };
  model: string;
  /** Milliseconds since the Unix epoch. */
  created_at: number;
  metadata: Readonly<Record<string, unknown>>;
}
