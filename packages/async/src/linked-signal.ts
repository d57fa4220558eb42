/** A signal that follows several others, and the way to let go of them. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts the linked signal itself. */
  abort(reason: unknown): void;
  /** Removes the listeners. `AbortSignal.any` has no such thing, and a batch links thousands to one long-lived signal. */
  unlink(): void;
}

/** Links signals: the result aborts with the first reason of any of them. */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const removals: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    if (source.aborted) {
      controller.abort(source.reason);
      break;
    }
    const follow = (): void => controller.abort(source.reason);
    source.addEventListener('abort', follow, { once: true });
    removals.push(() => source.removeEventListener('abort', follow));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => {
      for (const remove of removals.splice(0)) remove();
    },
  };
}
