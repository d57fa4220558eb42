export interface HurriedWait {
  /** Ends the wait under way; later waits take `hurriedMs` at most. */
  hurry: AbortSignal;
  /** Ends every wait at once. */
  deadline: AbortSignal;
  /** @default 250 */
  hurriedMs?: number;
}

/** Waits between two tries. Never rejects, and leaves no timer or listener. */
export async function waitUnlessHurried(
  delayMs: number,
  { hurry, deadline, hurriedMs = 250 }: HurriedWait,
): Promise<void> {
  if (deadline.aborted) return;
  const enders = hurry.aborted ? [deadline] : [deadline, hurry];
  const waitMs = hurry.aborted ? Math.min(delayMs, hurriedMs) : delayMs;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of enders) signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    for (const signal of enders) signal.addEventListener('abort', end, { once: true });
  });
}
