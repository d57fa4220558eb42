import type { RolloutPlanOptions } from '../workload/plan-rollouts.ts';

/** Duration of a request of each kind, in milliseconds, beside the endpoint's own work. */
export interface InjectedLatency {
  invokeMs: number;
  headMs: number;
  getMs: number;
  listMs: number;
  stopMs: number;
}

/** Between a trainer and AWS in one region. */
export const usualLatency: InjectedLatency = { invokeMs: 50, headMs: 15, getMs: 20, listMs: 40, stopMs: 20 };

export const noLatency: InjectedLatency = { invokeMs: 0, headMs: 0, getMs: 0, listMs: 0, stopMs: 0 };

/** Settings of the load model. */
export interface EndpointSettings extends RolloutPlanOptions {
  latency: InjectedLatency;
  /** Refused above it with 429, after a burst of one second. @default no limit */
  newSessionsPerSecond?: number | undefined;
  /** Invocations and stops together, refused above it as well. @default no limit */
  callsPerSecond?: number | undefined;
  /** Refused above it with 402. @default no limit */
  maxLiveSessions?: number | undefined;
  /** Older results in the store. @default none */
  history?: { expId: string; keys: number } | undefined;
  /** Share of requests to the store that are answered with 503 SlowDown. @default 0 */
  storeErrorShare?: number | undefined;
  /** The store answers nothing during this time, counted from the first invocation. @default never */
  storeStall?: { fromMs: number; untilMs: number } | undefined;
}
