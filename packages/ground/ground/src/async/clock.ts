/** Time as the toolkit sees it; replaced in tests and in simulations. */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary start: for durations and deadlines, which a stepped wall clock must not move. */
  nowMs(): number;
  /** Milliseconds since 1970: for timestamps that people and other machines read. */
  epochMs(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
}

// Node clamps longer delays to 1 ms with a warning; a deadline that far away is no deadline.
const longestTimerMs = 2_147_483_647;

/** The real clock. Its timers keep the process alive, as Node's do. */
export const systemClock: Clock = realClock((timer) => timer);

/** The real clock for what must not hold a finished program open: its timers never keep the process alive. */
export const backgroundClock: Clock = realClock((timer) => timer.unref());

function realClock(hold: (timer: NodeJS.Timeout) => NodeJS.Timeout): Clock {
  return {
    nowMs: () => performance.now(),
    epochMs: () => Date.now(),
    after(delayMs, callback) {
      if (delayMs > longestTimerMs) return () => undefined;
      const timer = hold(setTimeout(callback, Math.max(0, delayMs)));
      return () => clearTimeout(timer);
    },
  };
}
