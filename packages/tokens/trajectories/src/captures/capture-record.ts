import type { JsonObject } from '@art/ground';

/**
 * One answer of an engine to one call of an agent, as the gateway sends it: the CaptureRecord of rllm-model-gateway, and
 * fields of our own that its readers pass over and its servers do not send.
 */
export interface CaptureRecord {
  trace_id: string;
  session_id: string;
  model: string;
  messages: readonly JsonObject[];
  prompt_token_ids: readonly number[];
  response_message: JsonObject;
  completion_token_ids: readonly number[];
  /** One for each completion token. */
  logprobs: readonly number[] | null;
  routing_matrices: readonly string[] | null;
  finish_reason: string | null;
  /** Only ever an integer; what engines say in text is in `weight_versions`. */
  weight_version: number | null;
  latency_ms: number;
  token_counts: Readonly<Record<string, number>>;
  /** When the call arrived, seconds since the Unix epoch. */
  timestamp: number;
  metadata: JsonObject;
  raw_request: JsonObject | null;
  raw_response: JsonObject | null;
  /** Which choice of its call, from 0, of how many. */
  choice_index?: number;
  choice_count?: number;
  wire?: 'chat' | 'completions' | 'responses' | 'messages';
  engine?: string;
  worker?: string;
  /** How true the capture is; train on `complete` only. `capture_problems` says what is wrong otherwise. */
  capture?: 'complete' | 'incomplete' | 'partial' | 'text_only';
  capture_problems?: readonly string[];
  /** `start` and `end` count completion tokens; `end` is exclusive. */
  weight_versions?: readonly { version: string; start: number; end: number }[];
  routed_experts?: { data: string; encoding: string; shape?: readonly number[] };
  /** Where the version of the tokens is not known: it lies between these two, which the trainer announced; `oldest` may be null. */
  weight_version_range?: { oldest: number | null; newest: number };
  temperature?: number | null;
  top_p?: number | null;
  /** The sampling parameters that the engine was sent; what is not there was the engine's default. */
  sampling_params?: JsonObject;
  /** Parameters that the agent had asked for and that the session's took the place of. */
  overridden_params?: JsonObject;
  /** The fields of the call that put its sampling under a grammar or a list of tokens. */
  constraints?: readonly string[];
  tools?: readonly unknown[];
}
