/** Time as the engine sees it; replaced in tests and in simulations. */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary start: for durations and deadlines, which a stepped wall clock must not move. */
  nowMs(): number;
  /** Milliseconds since 1970: for timestamps that people and other machines read. */
  epochMs(): number;
  /** Calls back once after `delayMs`; the returned function cancels. Never keeps the process alive by itself. */
  after(delayMs: number, callback: () => void): () => void;
}

// Node clamps longer delays to 1 ms with a warning; a deadline that far away is no deadline.
const longestTimerMs = 2_147_483_647;

/** The real clock. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  after(delayMs, callback) {
    if (delayMs > longestTimerMs) return () => undefined;
    const timer = setTimeout(callback, Math.max(0, delayMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
