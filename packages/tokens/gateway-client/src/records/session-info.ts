import type { JsonObject } from '@art/ground';

/** A session as the gateway sends it. */
export interface SessionInfo {
  session_id: string;
  trace_count: number;
  /** Seconds since the Unix epoch. */
  created_at: number;
  metadata: JsonObject;
  /** Seconds since the Unix epoch of the first and the last capture. */
  first_trace_at?: number | null;
  last_trace_at?: number | null;
  /** Captures whose capture is not complete. */
  incomplete_count?: number;
  /** Calls under way. */
  active_calls?: number;
  /** As in the summary of its trajectory. */
  failed_calls?: number | null;
  abandoned_calls?: number | null;
  /** Calls that got an answer that was kept. */
  kept_answers?: number | null;
  /** True if the trainer is done with it, so that it is among the first to make room. */
  finished?: boolean;
}

/** A worker, that is an inference server behind the gateway. */
export interface WorkerInfo {
  worker_id: string;
  url: string;
  api_path: string;
  model_name: string | null;
  weight: number;
  healthy: boolean;
  active_requests: number;
  /** Kind of the server, once it is known. */
  flavour?: string | null;
  /**
   * Changes that its model's `generation_config.json` makes to sampling where a call says nothing, as far as the
   * gateway can read that file.
   */
  model_sampling?: Readonly<Record<string, number>>;
}
