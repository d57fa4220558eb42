import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessGroup } from './process-group.ts';

/** Resolves when `url` answers with a success. @throws Error where the program ends before, or takes longer than `timeoutMs` */
export async function untilAnswering(
  url: string,
  group: ProcessGroup,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  const ended = new AbortController();
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, ended.signal, deadline]);
  group.died().catch((error: unknown) => ended.abort(error));
  for (;;) {
    try {
      if ((await fetch(url, { signal: stop })).ok) return;
    } catch {
      // Not listening yet.
    }
    if (deadline.aborted) throw new Error(`Expected ${url} to answer within ${timeoutMs / 1_000} s.`);
    stop.throwIfAborted();
    await pause(200);
  }
}
