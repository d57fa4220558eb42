import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import type { BatchItem } from './batch-item.ts';
import type { BatchOptions } from './batch-options.ts';
import type { RunProgress } from '../run/run-progress.ts';

let runtime: ScriptedRuntime;
let client: RolloutClient;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  client = new RolloutClient({
    runtime,
    store: runtime.store,
    bucket: 'b',
    expId: 'e',
    onWarning: () => undefined,
  });
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A script for each attempt; the last one holds for all further ones. */
interface Work {
  scripts: SessionScript[];
  script?: SessionScript;
}

const lost: SessionScript = { storesNothing: true, diesAfterMs: 10 };
const work = (...scripts: SessionScript[]): Work => ({ scripts });
const run = (payloads: Work[], options: Partial<BatchOptions<Work>> = {}): Promise<BatchItem[]> =>
  inFakeTime(
    Array.fromAsync(
      client.runBatch(
        // The payload changes with the attempt through what the runtime reads of it last.
        payloads,
        {
          maxConcurrentSessions: 4,
          timeoutMs: 2_000,
          overrides: (payload, _index, attempt) => {
            payload.script = payload.scripts[Math.min(attempt, payload.scripts.length - 1)]!;
            return { number: attempt };
          },
          ...options,
        },
      ),
    ),
  );

describe('retries', () => {
  it('gives a rollout whose machine died a new session, key and invocation id', async () => {
    const [item] = await run([work(lost, lost, {})]);
    expect(item).toMatchObject({ attempt: 2, outcome: { kind: 'ok' } });
    expect(item!.attempts).toMatchObject([
      { attempt: 0, outcome: { kind: 'lost', error: { code: 'ART_ROLLOUT_LOST' } } },
      { attempt: 1, outcome: { kind: 'lost' } },
      { attempt: 2, outcome: { kind: 'ok' }, sessionId: item!.sessionId },
    ]);
    const keys = item!.attempts.map((one) => one.resultKey);
    expect(new Set(keys).size).toBe(3);
    expect(new Set(keys.map((key) => key!.split('/')[1])).size).toBe(1);
    const sent = runtime.sends.map(
      (send) => (JSON.parse(send.body) as { _rollout: Record<string, unknown> })._rollout,
    );
    expect(sent.map((rollout) => rollout['number'])).toEqual([0, 1, 2]);
    expect(runtime.handlerRuns.size).toBe(3);
    expect(runtime.live.size).toBe(0);
  });

  it.each<[string, SessionScript, number]>([
    ['lost', lost, 3],
    ['infra_error', { text: '{"status_code": 503, "stop_reason": "infrastructure_error"}' }, 3],
    ['throttled', { failures: [429] }, 6],
    ['timeout', { storesNothing: true }, 1],
    ['agent_error', { text: '{"status_code": 500}' }, 1],
    ['rejected', { failures: [403] }, 1],
    ['invalid_result', { text: 'garbage' }, 1],
  ])('without a policy: %s', async (kind, script, sends) => {
    const [item] = await run([work(script)]);
    expect(item).toMatchObject({ attempt: sends - 1, outcome: { kind } });
    expect(runtime.sends).toHaveLength(sends);
  });

  it.each([
    [424, 'Runtime initialization time exceeded. Please make sure that it completes in 30s.'],
    [409, 'Session operation in progress, please retry'],
  ])(
    'gives a rollout whose session did not start (%s) a new one, and stops what may be left',
    async (status, said) => {
      const unstarted: SessionScript = { failures: [status], failureMessage: said };
      const startedMs = Date.now();
      const [item] = await run([work(unstarted, unstarted, {})]);
      expect(item).toMatchObject({ attempt: 2, outcome: { kind: 'ok' } });
      expect(item!.attempts.map(({ outcome }) => outcome!.kind)).toEqual(['lost', 'lost', 'ok']);
      expect(runtime.stops.toSorted()).toEqual(item!.attempts.map(({ sessionId }) => sessionId).toSorted());
      // With a pause of 1 s, then 2 s; and not without end.
      expect(Date.now() - startedMs).toBeGreaterThan(3_000);
      const [given] = await run([work(unstarted)]);
      expect(given).toMatchObject({ attempt: 2, outcome: { kind: 'lost' } });
    },
  );

  it('counts each kind by itself', async () => {
    const failed: SessionScript = { text: '{"status_code": 500}' };
    const [item] = await run([work(lost, failed, lost, failed, {})], { retry: { lost: 1, agent_error: 5 } });
    expect(item).toMatchObject({ attempt: 2, outcome: { kind: 'lost' } });
    expect(item!.attempts.map((attempt) => attempt.outcome!.kind)).toEqual(['lost', 'agent_error', 'lost']);
  });

  it('tries for ever where told so', async () => {
    const throttles = Array.from({ length: 20 }, () => ({ failures: [402] }));
    const [item] = await run([work(...throttles, {})], {
      retry: { throttled: Number.POSITIVE_INFINITY },
      retryDelayMs: () => 10,
    });
    expect(item).toMatchObject({ attempt: 20, outcome: { kind: 'ok' } });
  });

  it('has until the deadline of its item, retries included', async () => {
    const startedAtMs = Date.now();
    const slow: SessionScript = { storeAfterMs: 3_000 };
    const unstarted: SessionScript = {
      failures: [424],
      failureMessage: 'Runtime initialization time exceeded.',
    };
    const items = await run([work(slow), work(slow), work(unstarted, slow), work(unstarted), work(lost)], {
      maxConcurrentSessions: 5,
      timeoutMs: 10_000,
      retry: { lost: Infinity },
      retryDelayMs: () => 400,
      deadlineAtMs: (index) => startedAtMs + (index === 1 ? Infinity : 1_000),
    });
    const byIndex = items.toSorted((a, b) => a.index - b.index);
    expect(byIndex.map(({ outcome, attempt }) => [outcome.kind, attempt])).toEqual([
      ['timeout', 0],
      ['ok', 0],
      ['timeout', 1],
      ['lost', 3],
      ['lost', 0],
    ]);
    expect(byIndex[0]!.outcome).toMatchObject({ error: { message: /No result after 1000 ms/ } });
    expect(byIndex[2]!.timings.settledMs).toBeLessThan(700);
  });

  it('never tries again what could not be sent at all', async () => {
    const prepared = vi.fn(() => {
      throw new Error('no such thing');
    });
    const [item] = await run([work({})], { overrides: prepared, retry: { rejected: 3 } });
    expect(item).toMatchObject({ attempt: 0, resultKey: undefined, outcome: { kind: 'rejected' } });
    expect(prepared).toHaveBeenCalledOnce();
  });

  it('pauses for longer each time', async () => {
    const startedMs = Date.now();
    await run([work({ failures: [429] })], { retry: { throttled: 3 } });
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(7_000);
    expect(Date.now() - startedMs).toBeLessThan(9_000);
  });

  it('keeps to the number of sessions, and stops one before it begins the next', async () => {
    runtime.stopDelayMs = 100;
    const items = await run(
      Array.from({ length: 12 }, () => work(lost, {})),
      { maxConcurrentSessions: 3 },
    );
    expect(items.every((item) => item.attempt === 1)).toBe(true);
    expect(runtime.peakLive).toBeLessThanOrEqual(3);
  });

  it('does not give a new attempt the session of the one before', async () => {
    const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';
    const [item] = await run([work(lost, {})], { sessionId: () => sessionId });
    expect(item!.attempts[0]!.sessionId).toBe(sessionId);
    expect(item!.sessionId).not.toBe(sessionId);
  });

  it.each(['break', 'deadline'])('a %s ends a pause at once', async (way) => {
    const payloads = [work({}), work({ failures: [429] })];
    const items: BatchItem[] = [];
    const loop = (async () => {
      const batch = client.runBatch(payloads, {
        maxConcurrentSessions: 2,
        retryDelayMs: () => 10_000_000,
        ...(way === 'deadline' && { batchTimeoutMs: 1_000 }),
        overrides: (payload) => {
          payload.script = payload.scripts[0]!;
          return {};
        },
      });
      for await (const item of batch) {
        items.push(item);
        if (way === 'break') break;
      }
    })();
    await inFakeTime(loop);
    if (way === 'break') expect(items).toHaveLength(1);
    else
      expect(items[1]).toMatchObject({
        attempt: 0,
        attempts: [{ attempt: 0 }],
        outcome: { kind: 'throttled' },
      });
    expect(runtime.live.size).toBe(0);
  });

  it('counts a payload once, whatever its attempts', async () => {
    const progress: RunProgress[] = [];
    await run([work(lost, {}), work({})], { onProgress: (snapshot) => progress.push(snapshot) });
    expect(progress.at(-1)).toMatchObject({ submitted: 2, done: 2, active: 0, outcomes: { ok: 2, lost: 0 } });
  });

  it.each<[string, object]>([
    ['retry', { retry: 3 }],
    ['retry.lost', { retry: { lost: -1 } }],
    ['retry.lost', { retry: { lost: 1.5 } }],
    ['retryDelayMs', { retryDelayMs: 5 }],
  ])('refuses a wrong %s', (name, options) => {
    expect(() => client.runBatch([], { maxConcurrentSessions: 1, ...options })).toThrow(
      new RegExp(`Expected .${name}. `),
    );
  });

  it.each([
    [{ lots: 1 }, 'got "lots". Did you mean lost?'],
    [{ agentError: 1 }, 'got "agentError". Did you mean agent_error?'],
    [{ cancelled: 1 }, 'got "cancelled". There are lost, '],
  ])('refuses %j, which is no kind that is tried again', (retry, words) => {
    expect(() => client.runBatch([], { maxConcurrentSessions: 1, retry } as never)).toThrow(words);
  });
});
