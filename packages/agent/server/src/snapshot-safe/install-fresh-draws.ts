import { fillFresh, replaceDraws } from '@art/ground/draws';

// A bundle may hold several copies of this module.
const installed = Symbol.for('@art/server/snapshot-safe');

/**
 * Makes the draws of this process come from the kernel. The generators in the process are seeded once, so sessions that are restored
 * from one snapshot of it would draw the same. Idempotent.
 */
export function installFreshDraws(): void {
  const global = globalThis as { [installed]?: true };
  if (global[installed] === true) return;
  global[installed] = true;
  replaceDraws({ fill: fillFresh });
}
