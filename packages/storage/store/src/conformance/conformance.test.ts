import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileResultStore } from '../file/file-result-store.ts';
import { MemoryResultStore } from '../memory-result-store.ts';
import type { ResultStore } from '../result-store.ts';
import { resultStoreChecks, whySkipped } from './index.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-store-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

const stores: Record<string, () => ResultStore> = {
  MemoryResultStore: () => new MemoryResultStore(),
  FileResultStore: () => new FileResultStore({ root: join(root, 'disk') }),
  'FileResultStore, durability process': () =>
    new FileResultStore({ root: join(root, 'process'), durability: 'process' }),
};

describe.each(Object.entries(stores))('%s', (_, open) => {
  for (const check of resultStoreChecks.filter((each) => whySkipped(each, open()) === undefined)) {
    it(`${check.id}: ${check.name}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run({ store: open(), bucket: 'conformance-bucket' })).resolves.toBeUndefined();
    });
  }
});

describe('resultStoreChecks', () => {
  it('has at least 25 checks with their own ids', () => {
    expect(resultStoreChecks.length).toBeGreaterThanOrEqual(25);
    expect(new Set(resultStoreChecks.map((check) => check.id)).size).toBe(resultStoreChecks.length);
  });

  it('can be skipped for a stated reason where a store lacks a capability', () => {
    const memory = new MemoryResultStore();
    const minimal: ResultStore = {
      put: (at, body, options) => memory.put(at, body, options),
      get: (at, options) => memory.get(at, options),
      exists: (at, options) => memory.exists(at, options),
    };
    const skipped = resultStoreChecks.map((check) => whySkipped(check, minimal));
    expect(skipped).toContain('the store has no list()');
    expect(skipped).toContain('the store has no watch()');
    expect(skipped).toContain(undefined);
    expect(resultStoreChecks.every((check) => whySkipped(check, memory) === undefined)).toBe(true);
  });
});
