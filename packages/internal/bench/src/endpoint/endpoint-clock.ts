/** Time for the load model; monotonic. */
export interface EndpointClock {
  nowMs(): number;
  /** Calls back once, after at least so long; the answer cancels. */
  after(delayMs: number, callback: () => void): () => void;
}

export const monotonicClock: EndpointClock = {
  nowMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
