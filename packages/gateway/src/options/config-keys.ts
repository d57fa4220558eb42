/** What a configuration file may say; the first group are the names of rllm-model-gateway. */
export const configKeys = [
  'host',
  'port',
  'workers',
  'db_path',
  'store_worker',
  'add_logprobs',
  'add_return_token_ids',
  'strip_vllm_fields',
  'routing_policy',
  'health_check_interval',
  'health_check_timeout',
  'health_failure_threshold',
  'log_level',
  // Traces are always stored before the agent has its reply.
  'sync_traces',
  'model',
  'sampling_params_priority',
  'capture_raw_payloads',
  'cumulative_token_mode',
  'max_model_len',
  // What follows a turn is found without knowledge of the model.
  'renderer_family',
  'renderer_name',
  // The lag of the event loop is always measured.
  'loop_health_enabled',
  'use_sglang',
  'sglang_tool_call_parser',
  'sglang_reasoning_parser',

  'allowed_hosts',
  'processes',
  'store',
  'max_sessions',
  'max_bytes',
  'session_ttl_ms',
  // Of former versions; refused with what to do instead.
  'token_mode',
  'heartbeat',
  'retry',
  'sessions_from_keys',
  'trace_choices',
  'keep_raw_bodies',
  'when_full',
  'media',
  'auth',
  'body_limit_bytes',
  'max_connections_per_worker',
  'shutdown_grace_ms',
] as const;

export type ConfigKey = (typeof configKeys)[number];
