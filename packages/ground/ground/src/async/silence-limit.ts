/** Timers of a process that runs are less late. */
const heldUpMs = 200;

/** A time that begins again with everything that comes. */
export interface SilenceLimit {
  /** Something came: the time begins again. */
  extend: () => void;
  cancel: () => void;
}

/**
 * Calls back once nothing has come for `limitMs`. The time begins again where this process was held up meanwhile: the process could
 * have read nothing, and timers run before sockets are read.
 */
export function silenceLimit(limitMs: number, onOver: () => void): SilenceLimit {
  let dueMs = performance.now() + limitMs;
  let isOver = false;
  const extend = (): void => {
    isOver = false;
    dueMs = performance.now() + limitMs;
    timer.refresh();
  };
  const timer = setTimeout(() => {
    if (performance.now() - dueMs > heldUpMs) {
      extend();
      return;
    }
    // What is there to be read counts, too.
    isOver = true;
    setImmediate(() => isOver && onOver());
  }, limitMs);
  const cancel = (): void => {
    isOver = false;
    clearTimeout(timer);
  };
  return { extend, cancel };
}
