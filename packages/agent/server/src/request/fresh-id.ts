import { randomUUID } from 'node:crypto';

/**
 * A UUID straight from the system. Node otherwise serves UUIDs from a pool that it fills ahead, and a runtime that
 * starts sessions from a memory snapshot (platform version V2) would clone that pool: equal ids in different sessions.
 */
export function freshId(): string {
  return randomUUID({ disableEntropyCache: true });
}
