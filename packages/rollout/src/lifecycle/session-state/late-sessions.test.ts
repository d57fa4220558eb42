import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchItem } from '../../batch/batch-item.ts';
import { RolloutClient } from '../../client/rollout-client.ts';
import { inFakeTime } from '../../in-fake-time.fixture.ts';
import { minimalStore, ScriptedRuntime, type SessionScript } from '../../scripted-runtime.fixture.ts';
import type { LateSessionOptions } from './late-session-options.ts';

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

const never: SessionScript = { answersState: true, storesNothing: true };

async function run(
  scripts: readonly SessionScript[],
  lateSessions?: LateSessionOptions | false,
  timeoutMs = 400_000,
): Promise<BatchItem[]> {
  await using client = new RolloutClient({
    runtime,
    store: minimalStore(runtime.store),
    bucket: 'results',
    expId: 'run-1',
    lateSessions,
  });
  const payloads = scripts.map((script) => ({ script }));
  const batch = client.runBatch(payloads, { maxConcurrentSessions: 1_000, timeoutMs, retry: { lost: 0 } });
  return await inFakeTime(Array.fromAsync(batch));
}

const lostOf = (items: readonly BatchItem[]): BatchItem[] =>
  items.filter((item) => item.outcome.kind === 'lost');

describe('LateSessions', () => {
  it('finds a dead session soon after it is later than most', async () => {
    const finished = Array.from({ length: 95 }, (_, n) => ({ answersState: true, storeAfterMs: 100 * n }));
    const dead = Array.from({ length: 5 }, () => ({ ...never, diesAfterMs: 5_000 }));
    const items = await run([...finished, ...dead]);
    const lost = lostOf(items);
    expect(lost).toHaveLength(5);
    for (const item of lost) {
      expect(item.outcome).toMatchObject({ error: { code: 'ART_ROLLOUT_LOST' } });
      expect(item.timings.settledMs).toBeLessThan(9_400 + 30_000);
    }
    // The fresh machines that the questions woke.
    for (const { sessionId } of lost) expect(runtime.stops).toContain(sessionId);
    expect(runtime.live.size).toBe(0);
  });

  it('finds one that dies while it is late already', async () => {
    const finished = Array.from({ length: 20 }, () => ({ answersState: true, storeAfterMs: 1_000 }));
    const [lost] = lostOf(await run([...finished, { ...never, diesAfterMs: 100_000 }]));
    expect(lost?.timings.settledMs).toBeGreaterThan(100_000);
    expect(lost?.timings.settledMs).toBeLessThan(100_000 + 30_000);
  });

  it('asks after a minute while it does not know how long rollouts take', async () => {
    const [item] = await run([{ ...never, diesAfterMs: 10 }]);
    expect(item?.outcome.kind).toBe('lost');
    expect(item?.timings.settledMs).toBeGreaterThan(60_000);
    expect(item?.timings.settledMs).toBeLessThan(65_000);
  });

  it('leaves a slow session that lives in peace, but for a question now and then', async () => {
    const [item] = await run([{ answersState: true, storeAfterMs: 200_000 }]);
    expect(item?.outcome.kind).toBe('ok');
    expect(runtime.questions).toHaveLength(7);
    expect(runtime.stops).toHaveLength(1);
  });

  it('never asks an agent that has not offered it', async () => {
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
    const scripts = Array.from({ length: 200 }, () => ({ answersState: true, storeAfterMs: 100_000 }));
    await run(scripts, { questionsPerSecond: 2 });
    // From the 61st second to the 100th.
    expect(runtime.questions.length).toBeLessThanOrEqual(2 * 41);
    expect(new Set(runtime.questions).size).toBe(runtime.questions.length);
  });

  it('does not ask again what does not understand', async () => {
    const items = await run([{ ...never, says: 'well, thank you' }], {}, 200_000);
    expect(runtime.questions).toHaveLength(1);
    expect(items[0]?.outcome.kind).toBe('timeout');
  });

  it('gives a result up that was stored and is not there', async () => {
    const [item] = await run([{ ...never, says: 'stored' }]);
    expect(item?.outcome).toMatchObject({
      kind: 'lost',
      error: { message: /says that its result was stored/ },
    });
    expect(runtime.questions).toHaveLength(2);
  });

  it('waits for an agent that goes on trying to store', async () => {
    const [item] = await run([{ answersState: true, says: 'unsaved', storeAfterMs: 150_000 }]);
    expect(item?.outcome.kind).toBe('ok');
  });

  it.each([
    ['a rate of nothing', { questionsPerSecond: 0 }],
    ['a misspelt name', { askAgain: 1 } as LateSessionOptions],
    ['no object', 5 as unknown as LateSessionOptions],
  ])('refuses %s', async (_name, options) => {
    await expect(run([], options)).rejects.toThrow(/lateSessions/);
  });
});
