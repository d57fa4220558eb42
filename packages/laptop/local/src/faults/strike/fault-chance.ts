import { createHash } from 'node:crypto';
import type { FaultDuration } from '../plan/fault.ts';

const sixBytes = 2 ** 48;

/**
 * A number from 0 to below 1 that belongs to one decision: the same seed, rule and match give the same number, whatever
 * was decided before. `purpose` keeps several numbers for one match apart.
 */
export function faultChance(seed: number, rule: number, match: number, purpose: string): number {
  const digest = createHash('sha256').update(`${seed} ${rule} ${match} ${purpose}`).digest();
  return digest.readUIntBE(0, 6) / sixBytes;
}

/** A whole number of milliseconds: the duration itself, or one drawn from its range. */
export function drawDuration(duration: FaultDuration, chance: number): number {
  if (typeof duration === 'number') return duration;
  const [least, most] = duration;
  return least + Math.floor(chance * (most - least + 1));
}
