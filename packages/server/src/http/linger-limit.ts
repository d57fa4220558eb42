import { lingerMs } from './request-limits.ts';

/** Timers of a process that runs are less late. */
const heldUpMs = 200;

export interface LingerLimit {
  /** Something came: the time begins again. */
  extend: () => void;
  cancel: () => void;
}

/**
 * Calls back when `lingerMs` are over. They begin again where this process was held up meanwhile, as it could have read nothing,
 * and timers run before sockets are read.
 */
export function lingerLimit(onOver: () => void): LingerLimit {
  let dueMs = performance.now() + lingerMs;
  let isOver = false;
  const extend = (): void => {
    isOver = false;
    dueMs = performance.now() + lingerMs;
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
  }, lingerMs);
  const cancel = (): void => {
    isOver = false;
    clearTimeout(timer);
  };
  return { extend, cancel };
}
