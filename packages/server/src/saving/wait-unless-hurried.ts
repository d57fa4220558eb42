import { pause } from '@art/async';

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
  const signal = hurry.aborted ? deadline : AbortSignal.any([deadline, hurry]);
  const waitMs = hurry.aborted ? Math.min(delayMs, hurriedMs) : delayMs;
  try {
    await pause(waitMs, { signal });
  } catch {
    // The wait has been ended.
  }
}
