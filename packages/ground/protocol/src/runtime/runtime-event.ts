import type { RuntimeErrorCode } from './runtime-error.ts';

interface EventBase {
  /** When it happened, milliseconds since the Unix epoch. */
  atMs: number;
}

interface CallEvent extends EventBase {
  operation: 'invoke' | 'stop';
  sessionId: string;
}

/** The service answered 429. The budget continues at `callsPerSecond`, and faster again when no more are refused. */
export interface ThrottledEvent extends CallEvent {
  type: 'throttled';
  /** The budget that is slowed down. */
  budget: 'new_sessions' | 'data_plane';
  callsPerSecond: number;
}

/** A call failed and will be sent again. */
export interface RetryEvent extends CallEvent {
  type: 'retry';
  /** The failed attempt, counted from 1; refusals for quota are not counted. */
  attempt: number;
  delayMs: number;
  code: RuntimeErrorCode;
  message: string;
}

/** The service has no room for another session (402): new sessions wait. */
export interface QuotaPausedEvent extends EventBase {
  type: 'quota_paused';
  /** The refused session. */
  sessionId: string;
  /** When a new session is tried even if none ends before. */
  probeInMs: number;
}

/** There is room again: new sessions go at their full rate. */
export interface QuotaResumedEvent extends EventBase {
  type: 'quota_resumed';
  pausedForMs: number;
}

/** Redis does not answer: this process keeps to its own share of the rates. */
export interface RedisLostEvent extends EventBase {
  type: 'redis_lost';
  reason: string;
  /** The share this process keeps to now. */
  newSessionsPerSecond: number;
  dataPlanePerSecond: number;
}

/** Redis answers again. The rates are shared once every process has returned. */
export interface RedisBackEvent extends EventBase {
  type: 'redis_back';
}

/** Events of a runtime on a call's way to the agent, for progress displays and logs. */
export type RuntimeEvent =
  | ThrottledEvent
  | RetryEvent
  | QuotaPausedEvent
  | QuotaResumedEvent
  | RedisLostEvent
  | RedisBackEvent;
