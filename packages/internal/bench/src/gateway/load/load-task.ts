import type { CallModel } from '../engine/call-model.ts';

interface Target {
  /** URL of the subject. */
  url: string;
  /** Calls go to sessions whose ids begin so; undefined where the subject has none. */
  sessionPrefix: string | undefined;
  concurrency: number;
}

/** Task of the load generator. */
export type LoadTask =
  /** The same call again and again, each in its own session. */
  | (Target & { kind: 'calls'; model: Extract<CallModel, { kind: 'whole' }>; calls: number })
  /** Streams of paced tokens. */
  | (Target & { kind: 'streams'; model: Extract<CallModel, { kind: 'stream' }>; streams: number })
  /** Conversations from their first turn to their last, each in its own session. */
  | (Target & { kind: 'conversations'; conversations: number });

export interface LoadResult {
  /** Calls that were answered in full. */
  completed: number;
  failed: number;
  /** Failure of the first failed call. */
  failure: string | undefined;
  wallMs: number;
  /** Latency of a call or, for streams, of each token from the engine to the agent; milliseconds. */
  latency: { p50: number; p99: number; max: number; count: number };
}

/** The id of a session, which is the same wherever it is needed. */
export function sessionIdOf(prefix: string, index: number): string {
  return `${prefix}-${String(index).padStart(6, '0')}`;
}
