/** A signal that aborts with the caller's or when the time is up, whichever comes first. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Whether it was the time. */
  isOver(): boolean;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
}

export function callDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): CallDeadline {
  const controller = new AbortController();
  let state: 'running' | 'over' | 'ended' = 'running';
  const abort = (): void => controller.abort(callerSignal?.reason);
  // A delay beyond 2^31 - 1 would fire at once; such a call has no deadline to speak of.
  const timer =
    timeoutMs > 2_147_483_647
      ? undefined
      : setTimeout(() => {
          state = 'over';
          controller.abort();
        }, timeoutMs);
  if (callerSignal?.aborted === true) abort();
  callerSignal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => state === 'over',
    end: () => {
      if (state === 'running') state = 'ended';
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', abort);
    },
  };
}
