import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskTraceStore } from '../disk/disk-trace-store.ts';
import { MemoryTraceStore } from '../memory-trace-store.ts';
import type { TraceStore } from '../trace-store.ts';
import type { TraceStoreCheckOptions } from './trace-store-check.ts';
import { traceStoreChecks } from './trace-store-checks.ts';

let root = '';
let opened = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-traces-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

function newDirectory(): string {
  opened += 1;
  return join(root, String(opened));
}

const stores: Record<string, (options?: TraceStoreCheckOptions) => Promise<TraceStore>> = {
  MemoryTraceStore: async (options) => new MemoryTraceStore(options),
  DiskTraceStore: (options) => DiskTraceStore.open({ ...options, directory: newDirectory() }),
  'DiskTraceStore, durability disk': (options) =>
    DiskTraceStore.open({ ...options, directory: newDirectory(), durability: 'disk' }),
  'DiskTraceStore, nothing cached': (options) =>
    DiskTraceStore.open({ ...options, directory: newDirectory(), cacheBytes: 0 }),
};

describe.each(Object.entries(stores))('%s', (_, open) => {
  for (const check of traceStoreChecks) {
    it(`${check.id}: ${check.name}`, async () => {
      await expect(check.run({ open })).resolves.toBeUndefined();
    });
  }
});

describe('traceStoreChecks', () => {
  it('have their own ids', () => {
    expect(traceStoreChecks.length).toBeGreaterThanOrEqual(25);
    expect(new Set(traceStoreChecks.map((check) => check.id)).size).toBe(traceStoreChecks.length);
  });
});
