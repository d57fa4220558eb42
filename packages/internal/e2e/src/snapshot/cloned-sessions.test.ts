import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startLocalRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { isThorough } from '@art/tooling/thorough';
import { describe, expect, it, vi } from 'vitest';

const fixture = (name: string): string[] => [
  process.execPath,
  '--conditions=@art/source',
  join(import.meta.dirname, name),
];
const different = (values: readonly unknown[]): number => new Set(values).size;

interface Told {
  order: string;
  ids: string[];
  former: string;
}

/** The answers of a group, each session a process that is restored from the same snapshot. */
async function group(size: number, env: Record<string, string> = {}): Promise<Told[]> {
  await using local = await startLocalRuntime({
    agents: { group: { command: fixture('group-agent.fixture.ts'), env } },
    platformVersion: 'V2',
  });
  const runtime = local.runtime('group');
  return await Promise.all(
    Array.from({ length: size }, async () => {
      const { body } = await runtime.invoke({ sessionId: randomUUID(), body: '{}' });
      return JSON.parse(body) as Told;
    }),
  );
}

describe('sessions of one snapshot', () => {
  it('share no id, no write id and no jitter: 1,000 of them', async () => {
    const [program, ...argv] = fixture('thousand-clones.fixture.ts');
    const { stdout } = await promisify(execFile)(program!, argv, { maxBuffer: 2 ** 26 });
    const told = JSON.parse(stdout) as Record<string, (string | number)[]>;
    expect(different(told['ids']!)).toBe(2_000);
    expect(different(told['numbers']!)).toBe(1_000);
    expect(told['writeIds']).toHaveLength(1_000);
    expect(different(told['writeIds']!)).toBe(1_000);
    expect(told['left']).toEqual(['one']);
    // The test of the test: ids as they were made before are one id, and so is every jitter.
    expect(different(told['former']!)).toBe(1);
    expect(different(told['jitters']!)).toBe(1);
  });

  it('share nothing as processes either', async () => {
    const size = isThorough ? 24 : 6;
    const told = await group(size);
    expect(different(told.flatMap(({ ids }) => ids))).toBe(3 * size);
    expect(different(told.map(({ former }) => former))).toBe(size);
  });

  it('shuffle their tools in as many orders, and in one where nothing mends them', async () => {
    const size = isThorough ? 8 : 3;
    const mended = await group(size);
    expect(different(mended.map(({ order }) => order))).toBe(size);
    const cloned = await group(size, { SNAPSHOT_SAFE: 'false' });
    expect(different(cloned.map(({ order }) => order))).toBe(1);
    expect(different(cloned.map(({ former }) => former))).toBe(1);
    // Ours are fresh without it.
    expect(different(cloned.flatMap(({ ids }) => ids))).toBe(3 * size);
  });

  it('store their result although the connection to S3 is from before the restore, and dead', async () => {
    await using local = await startLocalRuntime({
      agents: { connected: { command: fixture('connected-agent.fixture.ts'), warmupPath: '/warmup' } },
      platformVersion: 'V2',
      s3: { buckets: ['results'] },
    });
    const store = new S3ResultStore({
      endpoint: local.endpoint,
      region: 'us-west-2',
      clientConfig: { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } },
    });
    const sessionId = randomUUID();
    const rollout = { exp_id: 'e', input_id: 'i', session_id: sessionId, s3_bucket: 'results' };
    await local.runtime('connected').invoke({ sessionId, body: JSON.stringify({ _rollout: rollout }) });
    const at = { bucket: 'results', key: `e/i/${sessionId}.json` };
    await vi.waitFor(async () => expect(await store.get(at)).toContain('"rewards"'));
    await store.close();
  });
});
