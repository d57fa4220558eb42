import type { ResultStore } from './result-store.ts';

/** Whether a value has the members that every store must have. */
export function isResultStore(value: unknown): value is ResultStore {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['put', 'get', 'exists'].every(
      (method) => typeof (value as Record<string, unknown>)[method] === 'function',
    )
  );
}
