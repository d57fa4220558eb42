import type { InvocationState } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchItem } from '../batch/batch-item.ts';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { minimalStore, ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import type { LivenessOptions } from './liveness-options.ts';

let runtime: ScriptedRuntime;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
});
afterEach(() => {
  runtime.clearTimers();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const never: SessionScript = { speaksRip: true, storesNothing: true };

async function run(
  scripts: readonly SessionScript[],
  liveness?: LivenessOptions | false,
  timeoutMs = 400_000,
): Promise<BatchItem[]> {
  await using client = new RolloutClient({
    runtime,
    store: minimalStore(runtime.store),
    bucket: 'results',
    expId: 'run-1',
    liveness,
  });
  const payloads = scripts.map((script) => ({ script }));
  const batch = client.runBatch(payloads, { maxConcurrentSessions: 2_000, timeoutMs, retry: { lost: 0 } });
  return await inFakeTime(Array.fromAsync(batch));
}

const lostOf = (items: readonly BatchItem[]): BatchItem[] =>
  items.filter((item) => item.outcome.kind === 'lost');

describe('SessionLiveness', () => {
  it('finds a dead session within seconds, and stops the fresh machine that the question woke', async () => {
    const dead = Array.from({ length: 5 }, () => ({ ...never, diesAfterMs: 5_000 }));
    const finished = Array.from({ length: 95 }, (_, n) => ({ speaksRip: true, storeAfterMs: 100 * n }));
    const lost = lostOf(await run([...finished, ...dead]));
    expect(lost).toHaveLength(5);
    for (const { outcome, timings, sessionId } of lost) {
      expect(outcome).toMatchObject({
        error: { code: 'ART_ROLLOUT_LOST', message: expect.stringMatching(/never heard/) as string },
      });
      expect(timings.settledMs).toBeGreaterThan(10_000);
      expect(timings.settledMs).toBeLessThan(12_000);
      expect(runtime.stops).toContain(sessionId);
    }
    expect(runtime.live.size).toBe(0);
  });

  it('finds within two seconds one that dies on this machine', async () => {
    Object.assign(runtime, { isLocal: true });
    const [lost] = lostOf(await run([{ ...never, diesAfterMs: 5_000 }]));
    expect(lost?.timings.settledMs).toBeLessThan(7_000);
  });

  it('tells why a session died where the runtime knows', async () => {
    const says = { status: 'interrupted' as const, reason: 'Its process exited with code 3.' };
    const [lost] = lostOf(await run([{ ...never, says }]));
    expect(lost?.outcome).toMatchObject({
      error: { message: expect.stringMatching(/exited with code 3/) as string },
    });
  });

  it.each(['in_progress', 'completed'] as const)(
    'takes the word of a session that is %s and could not store its result',
    async (status) => {
      const says = { status, unsaved: 'Access denied.', ...(status === 'completed' && { result: 1 }) };
      const [item] = await run([{ ...never, says: says as InvocationState }]);
      expect(item?.attempts.map(({ outcome }) => outcome?.kind)).toEqual(Array(3).fill('infra_error'));
      expect(item?.outcome).toMatchObject({
        error: {
          code: 'ART_STORE_FAILED',
          message: expect.stringMatching(/"results".*Access denied/) as string,
        },
      });
      expect(item?.timings.settledMs).toBeLessThan(12_000);
    },
  );

  it('asks less often once it knows that rollouts take long', async () => {
    const finished = Array.from({ length: 20 }, () => ({ speaksRip: true, storeAfterMs: 100_000 }));
    const longer = { speaksRip: true, storeAfterMs: 300_000 };
    const items = await run([...finished, longer], { firstAfterMs: 1_000, everyMs: 1_000 });
    const { sessionId } = items.find(({ index }) => index === 20)!;
    const ofLonger = runtime.questions.filter((id) => id === sessionId).length;
    // Every second for 100 s, then every 10 s for 200 s.
    expect(ofLonger).toBeGreaterThan(110);
    expect(ofLonger).toBeLessThan(125);
  });

  it('asks once in 10 seconds', async () => {
    const [item] = await run([{ speaksRip: true, storeAfterMs: 200_000 }]);
    expect(item?.outcome.kind).toBe('ok');
    expect(runtime.questions).toHaveLength(20);
    expect(runtime.stops).toHaveLength(1);
  });

  it('never asks an agent that does not speak RIP', async () => {
    const [item] = await run([{ storesNothing: true, diesAfterMs: 10 }]);
    expect(runtime.questions).toEqual([]);
    expect(runtime.sends).toHaveLength(1);
    // The deadline finds it: the runtime has no such session any more.
    expect(item?.outcome.kind).toBe('lost');
    expect(item?.timings.settledMs).toBeGreaterThanOrEqual(400_000);
  });

  it('asks nobody when told so', async () => {
    await run([{ ...never, diesAfterMs: 10 }], false);
    expect(runtime.questions).toEqual([]);
  });

  it('keeps to its budget, and reaches everyone in turn', async () => {
    const scripts = Array.from({ length: 200 }, () => ({ speaksRip: true, storeAfterMs: 100_000 }));
    await run(scripts, { callsPerSecond: 5 });
    // From the 11th second to the 100th.
    expect(runtime.questions.length).toBeLessThanOrEqual(5 * 91);
    expect(runtime.questions.length).toBeGreaterThan(4 * 85);
    const counts = new Map<string, number>();
    for (const id of runtime.questions) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect(counts.size).toBe(200);
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
  });

  it('does not ask again what does not understand', async () => {
    const items = await run([{ ...never, says: 'nonsense' }], {}, 200_000);
    expect(runtime.questions).toHaveLength(1);
    expect(items[0]?.outcome.kind).toBe('timeout');
  });

  it('gives a result up that is said to be stored and is not there', async () => {
    const [item] = await run([{ ...never, says: { status: 'completed', result: null } }]);
    expect(item?.outcome).toMatchObject({
      kind: 'lost',
      error: { message: expect.stringMatching(/says that the rollout has ended/) as string },
    });
    expect(runtime.questions).toHaveLength(2);
  });

  it.each([
    ['a rate of nothing', { callsPerSecond: 0 }],
    ['a misspelt name', { askAgain: 1 } as LivenessOptions],
    ['no object', 5 as unknown as LivenessOptions],
  ])('refuses %s', async (_name, options) => {
    await expect(run([], options)).rejects.toThrow(/liveness/);
  });
});
