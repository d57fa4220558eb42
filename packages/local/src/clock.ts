/** Where durations come from; inject one to test hours of idling in milliseconds. */
export interface LocalClock {
  /** Monotonic milliseconds; only differences mean anything. */
  nowMs(): number;
}

/** The process's monotonic clock. */
export const monotonicClock: LocalClock = { nowMs: () => performance.now() };
