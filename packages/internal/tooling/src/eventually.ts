import { vi } from 'vitest';
import { patienceMs } from './patience.ts';

/** Polls until an expectation holds. Long enough for a machine that is busy with other tests. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: patienceMs, interval: 10 });
}
