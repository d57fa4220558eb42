import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { callWithin } from '@art/ground';
import type { AgentRuntime } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import type { BatchItem } from './batch-item.ts';
import type { BatchOptions, PayloadSource } from './batch-options.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { RunProgress } from '../run/run-progress.ts';

let runtime: ScriptedRuntime;
let client: RolloutClient;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  client = new RolloutClient({ runtime, store: runtime.store, bucket: 'b', expId: 'e' });
});
afterEach(async () => {
  runtime.clearTimers();
  await client.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const payloads = (
  count: number,
  script: (index: number) => SessionScript = () => ({}),
): { n: number; script: SessionScript }[] =>
  Array.from({ length: count }, (_, index) => ({ n: index, script: script(index) }));

async function collect<P extends Payload>(
  source: PayloadSource<P>,
  options: Partial<BatchOptions<P>> = {},
): Promise<BatchItem[]> {
  return inFakeTime(Array.fromAsync(client.runBatch(source, { maxConcurrentSessions: 4, ...options })));
}

describe('runBatch', () => {
  it('yields every rollout once, in order of completion, and stops every session', async () => {
    const items = await collect(
      payloads(10, (index) => ({ storeAfterMs: 1_000 - index * 100 })),
      { maxConcurrentSessions: 10 },
    );
    expect(items.map((item) => item.index)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(items.every((item) => item.outcome.kind === 'ok')).toBe(true);
    expect(runtime.live.size).toBe(0);
    expect(new Set(runtime.stops).size).toBe(10);
    expect(runtime.stops).toHaveLength(10);
  });

  it('never has more sessions alive than allowed; one counts until it was stopped', async () => {
    runtime.stopDelayMs = 200;
    await collect(payloads(20), { maxConcurrentSessions: 3 });
    expect(runtime.peakLive).toBe(3);
  });

  it('takes payloads no sooner than the runtime gets round to them', async () => {
    const turns: (() => void)[] = [];
    let taken = 0;
    const source = (function* () {
      for (; taken < 1_200; taken += 1) yield { script: { storesNothing: true } };
    })();
    const busy: AgentRuntime = {
      tellsLeaving: true,
      async invoke(request, options = {}) {
        await callWithin(() => new Promise<void>((resolve) => turns.push(resolve)), options);
        options.onLeaving?.();
        return runtime.invoke(request, options);
      },
      stop: (sessionId) => runtime.stop(sessionId),
    };
    await using patient = new RolloutClient({ runtime: busy, store: runtime.store, bucket: 'b', expId: 'e' });
    const batch = patient.runBatch(source, { maxConcurrentSessions: 2_000 });
    const first = batch.next();
    await vi.advanceTimersByTimeAsync(100);
    expect([turns.length, taken]).toEqual([1_000, 999]);
    for (const turn of turns.splice(0, 150)) turn();
    await vi.advanceTimersByTimeAsync(100);
    expect([turns.length, taken]).toEqual([1_000, 1_149]);
    await patient.close();
    await expect(first).rejects.toMatchObject({ code: 'ART_CLIENT_CLOSED' });
    expect(runtime.sends).toHaveLength(150);
  });

  it("gives generated input ids one prefix, and takes the caller's", async () => {
    const generated = await collect(payloads(3));
    expect(new Set(generated.map((item) => item.inputId.slice(0, -8))).size).toBe(1);
    const own = await collect(payloads(3), {
      inputId: (payload) => `gsm8k/${payload.n}`,
      overrides: (_, index) => ({ seed: index }),
    });
    expect(own.map((item) => item.inputId).toSorted()).toEqual(['gsm8k/0', 'gsm8k/1', 'gsm8k/2']);
    expect(own[0]?.resultKey).toBe(`e/${own[0]!.inputId}/${own[0]!.sessionId}.json`);
    expect(
      runtime.sends
        .slice(3)
        .map((send) => (JSON.parse(send.body) as { _rollout: { seed: number } })._rollout.seed),
    ).toEqual([0, 1, 2]);
  });

  it('does not start before the first item is asked for', async () => {
    const batch = client.runBatch(payloads(3), { maxConcurrentSessions: 3 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runtime.sends).toHaveLength(0);
    await batch.return(undefined);
  });

  it.each(['iterable', 'async iterable'])('reads an %s no further ahead than there is room', async (sort) => {
    let taken = 0;
    function* source(): Generator<Payload> {
      for (let index = 0; index < 30; index += 1) {
        taken += 1;
        yield { n: index };
      }
    }
    async function* asyncSource(): AsyncGenerator<Payload> {
      yield* source();
    }
    const batch = client.runBatch(sort === 'iterable' ? source() : asyncSource(), {
      maxConcurrentSessions: 4,
    });
    const first = await inFakeTime(batch.next());
    expect(first.done).toBe(false);
    // The consumer takes no more: four settled items wait for it, and nothing new may start.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(taken).toBeLessThanOrEqual(1 + 4 + 4);
    const rest = await inFakeTime(Array.fromAsync(batch));
    expect(rest).toHaveLength(29);
    expect(taken).toBe(30);
  });

  it('types every way in which a rollout can end', async () => {
    const scripts: SessionScript[] = [
      {},
      { text: '{"status_code": 500, "stop_reason": "boom"}' },
      { storesNothing: true },
      { storesNothing: true, diesAfterMs: 100 },
      { failures: [429] },
      { failures: [402] },
      { failures: [403] },
      { failures: [424], failureMessage: 'Received error (500) from runtime.' },
      { failures: [424], failureMessage: 'Received error (502) from runtime.' },
      { failures: [424], failureMessage: 'Runtime initialization time exceeded.' },
      { text: 'garbage' },
      { answer: 'garbage' },
      { failures: [500, 500, 0] },
    ];
    const items = await collect(
      payloads(scripts.length, (index) => scripts[index]!),
      { timeoutMs: 5_000, maxConcurrentSessions: 20 },
    );
    const kinds = items.toSorted((a, b) => a.index - b.index).map((item) => item.outcome.kind);
    expect(kinds).toEqual([
      'ok',
      'agent_error',
      'timeout',
      'lost',
      'throttled',
      'throttled',
      'rejected',
      'rejected',
      'lost',
      'lost',
      'invalid_result',
      'rejected',
      'lost',
    ]);
    expect(runtime.live.size).toBe(0);
  });

  it('counts the deadline from the submission, so a start that hangs ends too', async () => {
    const [item] = await collect(
      payloads(1, () => ({ acceptAfterMs: 10 ** 8 })),
      { timeoutMs: 2_000, retry: { lost: 0 } },
    );
    expect(item).toMatchObject({ outcome: { kind: 'lost' }, timings: { acceptedMs: undefined } });
    expect(item!.timings.settledMs).toBeGreaterThanOrEqual(2_000);
    expect(item!.timings.settledMs).toBeLessThan(2_100);
  });

  it('yields a payload that cannot be sent as rejected, and continues', async () => {
    const source = [{ a: 1 }, 'text', { x: Number.NaN }, { b: 1 }] as Payload[];
    const items = await collect(source);
    const byIndex = items.toSorted((a, b) => a.index - b.index);
    expect(byIndex.map((item) => item.outcome.kind)).toEqual(['ok', 'rejected', 'rejected', 'ok']);
    expect(byIndex[1]!.outcome).toMatchObject({ error: { code: 'ART_INVALID_PAYLOAD' } });
    expect(byIndex[2]!.outcome).toMatchObject({ error: { code: 'ART_JSON_WRITE' } });
    expect(runtime.sends).toHaveLength(2);
  });

  it('finishes what runs before it throws an error of the source', async () => {
    async function* source(): AsyncGenerator<Payload> {
      yield { n: 0 };
      yield { n: 1 };
      throw new Error('dataset ends here');
    }
    const items: BatchItem[] = [];
    const work = (async () => {
      for await (const item of client.runBatch(source(), { maxConcurrentSessions: 4 })) items.push(item);
    })();
    await expect(inFakeTime(work)).rejects.toThrow('dataset ends here');
    expect(items).toHaveLength(2);
    expect(runtime.live.size).toBe(0);
  });

  it.each(['break', 'throw', 'abort'])(
    '%s stops every outstanding session before the iterator returns',
    async (way) => {
      const abort = new AbortController();
      let closedSource = false;
      async function* source(): AsyncGenerator<Payload> {
        try {
          for (let index = 0; ; index += 1)
            yield { n: index, script: { storeAfterMs: index === 0 ? 50 : 60_000 } };
        } finally {
          closedSource = true;
        }
      }
      const work = (async () => {
        for await (const item of client.runBatch(source(), {
          maxConcurrentSessions: 32,
          signal: abort.signal,
        })) {
          expect(item.index).toBe(0);
          if (way === 'break') break;
          if (way === 'throw') throw new Error('consumer failed');
          abort.abort(new Error('aborted'));
        }
      })();
      const settled = inFakeTime(work);
      if (way === 'break') await settled;
      else await expect(settled).rejects.toThrow(way === 'throw' ? 'consumer failed' : 'aborted');
      expect(runtime.live.size).toBe(0);
      expect(runtime.sends.length).toBeGreaterThanOrEqual(32);
      const sent = runtime.sends.length;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(runtime.sends).toHaveLength(sent);
      expect(closedSource).toBe(true);
    },
  );

  it('leaves at once although the source hangs', async () => {
    async function* source(): AsyncGenerator<Payload> {
      yield { n: 0 };
      await new Promise(() => undefined);
    }
    const batch = client.runBatch(source(), { maxConcurrentSessions: 4 });
    await inFakeTime(batch.next());
    await inFakeTime(batch.return(undefined));
    expect(runtime.live.size).toBe(0);
  });

  it('an abort before the start sends nothing', async () => {
    const batch = client.runBatch(payloads(3), {
      maxConcurrentSessions: 3,
      signal: AbortSignal.abort(new Error('no')),
    });
    await expect(batch.next()).rejects.toThrow('no');
    expect(runtime.sends).toHaveLength(0);
  });

  it('closing the client ends its batches', async () => {
    const batch = client.runBatch(
      payloads(3, () => ({ storesNothing: true })),
      { maxConcurrentSessions: 3 },
    );
    const next = batch.next();
    next.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(100);
    await inFakeTime(client.close());
    await expect(next).rejects.toThrow(expect.objectContaining({ code: 'ART_CLIENT_CLOSED' }) as Error);
    expect(runtime.live.size).toBe(0);
  });

  it.each([-3_600_000, 3_600_000])(
    'does not care when the wall clock is stepped by %d ms',
    async (stepMs) => {
      const work = collect(
        payloads(8, (index) => ({ storeAfterMs: 1_000 + index * 500 })),
        { maxConcurrentSessions: 8, timeoutMs: 30_000 },
      );
      const stepped = (async () => {
        await vi.advanceTimersByTimeAsync(2_000);
        vi.setSystemTime(Date.now() + stepMs);
      })();
      const [items] = await Promise.all([work, stepped]);
      expect(items.map((item) => item.outcome.kind)).toEqual(Array.from({ length: 8 }, () => 'ok'));
      for (const { index, timings } of items) {
        expect(timings.settledMs).toBeGreaterThanOrEqual(1_000 + index * 500);
        expect(timings.settledMs).toBeLessThan(1_000 + index * 500 + 1_500);
      }
    },
  );

  it('a session that accepted nothing in time is no slow agent: it is tried again', async () => {
    let sent = 0;
    const script = () => ({ acceptAfterMs: (sent += 1) > 1 ? 0 : 10 ** 8 });
    const source = payloads(1, () => ({
      get acceptAfterMs() {
        return script().acceptAfterMs;
      },
    }));
    const [item] = await collect(source, { timeoutMs: 2_000 });
    expect(item!.attempts.map(({ outcome }) => outcome?.kind)).toEqual(['lost', 'ok']);
    const ended = await collect(
      payloads(1, () => ({ acceptAfterMs: 10 ** 8 })),
      { batchTimeoutMs: 1_000 },
    );
    expect(ended[0]!.outcome.kind).toBe('timeout');
  });

  it('a deadline of the whole batch ends what is outstanding as timeout, and takes no more', async () => {
    let taken = 0;
    function* source(): Generator<Payload> {
      for (; ; taken += 1) yield { script: { storeAfterMs: taken < 4 ? 100 : 60_000 } };
    }
    const items = await collect(source(), { batchTimeoutMs: 5_000 });
    expect(items.map((item) => item.outcome.kind)).toEqual([
      ...Array(4).fill('ok'),
      ...Array(4).fill('timeout'),
    ]);
    const last = items.at(-1)?.outcome;
    expect(last?.kind === 'timeout' && last.error.message).toMatch('within the 5000 ms of the batch');
    expect(taken).toBeLessThanOrEqual(8);
    expect(runtime.live.size).toBe(0);
  });

  it.each(['runBatch', 'runGroups'] as const)(
    'says once that rollouts of %s are ok and have no reward, and why in each item',
    async (method) => {
      const warnings: string[] = [];
      const own = new RolloutClient({
        runtime,
        store: runtime.store,
        bucket: 'b',
        expId: 'rewards',
        onWarning: (message) => warnings.push(message),
      });
      const texts = ['"rewards": 1', '"rewards": "good"', '"rewards": []', '"x": 1'];
      const source = texts.map((text) => ({ script: { text: `{${text}, "status_code": 200}` } }));
      const limits = { maxConcurrentSessions: 1 };
      if (method === 'runGroups') {
        await inFakeTime(Array.fromAsync(own.runGroups(source, { ...limits, rolloutsPerInput: 1 })));
      } else {
        const items = await inFakeTime(Array.fromAsync(own.runBatch(source, limits)));
        const problems = items.map(({ outcome }) => outcome.kind === 'ok' && outcome.rewardProblem?.kind);
        expect(problems).toEqual([undefined, 'not_a_number', 'empty', 'absent']);
      }
      await inFakeTime(own.close());
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(
        /^Rollout 1 \(session [^)]+\) is ok and has no reward of its own\. Expected .* got "good"\./,
      );
    },
  );

  it('says nothing of answers without a reward where the caller judges', async () => {
    const warnings: string[] = [];
    const own = new RolloutClient({
      runtime,
      store: runtime.store,
      bucket: 'b',
      expId: 'judged',
      onWarning: (message) => warnings.push(message),
    });
    const source = [{ script: { text: '{"status_code": 200}' } }];
    const items = await inFakeTime(
      Array.fromAsync(own.runBatch(source, { maxConcurrentSessions: 1, isJudged: true })),
    );
    expect(items.map(({ outcome }) => outcome.kind)).toEqual(['ok']);
    expect(warnings).toEqual([]);
    await inFakeTime(own.close());
  });

  it('reports progress and events', async () => {
    const progress: RunProgress[] = [];
    const events: RolloutEvent[] = [];
    const scripts: SessionScript[] = [
      { text: '{"rewards": [0, 0.5]}' },
      { text: '{"status_code": 500}' },
      { text: '{"rewards": 1}' },
    ];
    await collect(
      payloads(3, (index) => scripts[index]!),
      {
        onProgress: (snapshot) => progress.push(snapshot),
        onEvent: (event) => events.push(event),
        maxConcurrentSessions: 1,
      },
    );
    expect(progress.at(-1)).toMatchObject({
      submitted: 3,
      active: 0,
      done: 3,
      rewarded: 2,
      meanReward: 0.75,
    });
    expect(progress.at(-1)!.outcomes).toMatchObject({ ok: 2, agent_error: 1, lost: 0 });
    const ofFirst = events
      .filter((event) => 'index' in event && event.index === 0)
      .map((event) => event.type);
    expect(ofFirst).toEqual(['submitted', 'accepted', 'noticed', 'settled', 'session_stopped']);
    expect(events.every((event) => event.atMs > 1_500_000_000_000)).toBe(true);
  });

  it.each<[string, unknown, object]>([
    ['payloads', 5, {}],
    ['payloads', { a: 1 }, {}],
    ['maxConcurrentSessions', [], { maxConcurrentSessions: 0 }],
    ['maxConcurrentSessions', [], { maxConcurrentSessions: undefined }],
    ['timeoutMs', [], { timeoutMs: -1 }],
    ['maxBufferedItems', [], { maxBufferedItems: 0.5 }],
    ['batchTimeoutMs', [], { batchTimeoutMs: 0 }],
    ['maxUnacknowledged', [], { maxUnacknowledged: 0 }],
    ['logIntervalMs', [], { logIntervalMs: 0 }],
    ['inputId', [], { inputId: 'x' }],
  ])('refuses wrong %s at once', (name, source, options) => {
    expect(() => client.runBatch(source as Payload[], { maxConcurrentSessions: 1, ...options })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }) as Error,
    );
  });

  it('keeps no payload of a rollout that is done', async () => {
    const made: WeakRef<object>[] = [];
    const source = (function* () {
      for (let n = 0; n < 200; n += 1) {
        const payload = { n };
        made.push(new WeakRef(payload));
        yield payload;
      }
    })();
    const items = await collect(source, { maxConcurrentSessions: 20 });
    expect(items).toHaveLength(200);
    vi.useRealTimers();
    setFlagsFromString('--expose_gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    collectGarbage();
    // The last one may still be on somebody's stack.
    expect(made.filter((payload) => payload.deref() !== undefined).length).toBeLessThan(5);
    vi.useFakeTimers();
  });
});
