import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskCaptureStore } from '../disk/disk-capture-store.ts';
import { MemoryCaptureStore } from '../memory-capture-store.ts';
import type { CaptureStore } from '../capture-store.ts';
import type { CaptureStoreCheckOptions } from './capture-store-check.ts';
import { captureStoreChecks } from './capture-store-checks.ts';

let root = '';
let opened = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-captures-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

function newDirectory(): string {
  opened += 1;
  return join(root, String(opened));
}

const stores: Record<string, (options?: CaptureStoreCheckOptions) => Promise<CaptureStore>> = {
  MemoryCaptureStore: async (options) => new MemoryCaptureStore(options),
  DiskCaptureStore: (options) => DiskCaptureStore.open({ ...options, directory: newDirectory() }),
  'DiskCaptureStore, durability disk': (options) =>
    DiskCaptureStore.open({ ...options, directory: newDirectory(), durability: 'disk' }),
  'DiskCaptureStore, nothing cached': (options) =>
    DiskCaptureStore.open({ ...options, directory: newDirectory(), cacheBytes: 0 }),
};

describe.each(Object.entries(stores))('%s', (_, open) => {
  for (const check of captureStoreChecks) {
    it(`${check.id}: ${check.name}`, async () => {
      await expect(check.run({ open })).resolves.toBeUndefined();
    });
  }
});

describe('captureStoreChecks', () => {
  it('have their own ids', () => {
    expect(captureStoreChecks.length).toBeGreaterThanOrEqual(25);
    expect(new Set(captureStoreChecks.map((check) => check.id)).size).toBe(captureStoreChecks.length);
  });
});
