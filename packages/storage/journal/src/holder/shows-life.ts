export interface ShowsLifeSettings {
  clock: Clock;
  leaseMs: number;
}

const looks = 6;

/**
 * Watches a holder that cannot be seen from here for the length of a lease. No two machines' clocks are compared: only
 * whether something changes while this one waits.
 * @param signOfLife something that changes at least twice in a lease while the holder lives
 */
export async function showsLife(
  signOfLife: () => Promise<string>,
  { clock, leaseMs }: ShowsLifeSettings,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const before = await signOfLife();
  for (let look = 0; look < looks; look += 1) {
    await pause(leaseMs / looks, { clock, signal });
    if ((await signOfLife()) !== before) return true;
  }
  return false;
}
import { type Clock, pause } from '@art/ground';
