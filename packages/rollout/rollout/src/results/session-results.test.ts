import type { RolloutOutcome } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchItem } from '../batch/batch-item.ts';
import { RolloutClient } from '../client/rollout-client.ts';
import type { RolloutClientOptions } from '../client/rollout-client-options.ts';
import { FakeGateway } from '../gateway/fake-gateway.fixture.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { MemoryJournal } from '../recording/memory-journal.fixture.ts';
import { MortalRuntime } from '../recording/mortal-runtime.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';

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

const makeClient = (options: Partial<RolloutClientOptions> = {}): RolloutClient =>
  new RolloutClient({ runtime, ...options });

async function outcomeOf(
  script: SessionScript,
  options: Partial<RolloutClientOptions> = {},
): Promise<RolloutOutcome> {
  await using client = makeClient(options);
  const batch = client.runBatch([{ script }], {
    maxConcurrentSessions: 1,
    retry: { lost: 0 },
    timeoutMs: 120_000,
  });
  const [item] = await inFakeTime(Array.fromAsync(batch));
  // The session goes with its result, and so does whatever a question woke.
  expect(runtime.live.size).toBe(0);
  return item!.outcome;
}

const rip = (script: SessionScript = {}): SessionScript => ({ speaksRip: true, ...script });

describe('a client without a bucket', () => {
  it('sends the config beside the payload, starts in the background and reads the result from the session', async () => {
    await using client = makeClient({
      expId: 'run-1',
      baseUrl: 'http://gw/v1',
      modelId: 'm',
      samplingParams: { top_p: 1 },
      extraConfig: { temperature: 0.7 },
    });
    const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';
    const script = rip({ storeAfterMs: 5_000, result: { reward: 0.5, text: 'hi' } });
    const future = await inFakeTime(
      client.invoke({ script }, { sessionId, overrides: { api_key: 'k', modelId: 'n' } }),
    );
    expect(future.state.phase).toBe('running');
    expect([future.bucket, future.resultKey]).toEqual([undefined, undefined]);
    expect(JSON.parse(runtime.sends[0]!.body)).toEqual({
      script,
      _config: {
        exp_id: 'run-1',
        temperature: 0.7,
        sampling_params: { top_p: 1 },
        base_url: 'http://gw/v1',
        model_id: 'n',
        api_key: 'k',
      },
      _agentcore_runtime: {
        version: 1,
        operation: 'start',
        invocation_id: expect.any(String) as string,
        background: true,
      },
    });
    expect(await inFakeTime(future.outcome())).toEqual({
      kind: 'ok',
      document: { reward: 0.5, text: 'hi' },
      reward: 0.5,
    });
    await inFakeTime(client.close());
    expect(runtime.stops).toEqual([sessionId]);
  });

  it('needs no store, and takes results from sessions with a bucket too when told so', async () => {
    expect(
      await outcomeOf(rip(), { results: 'session', bucket: 'b', expId: 'e', store: runtime.store }),
    ).toMatchObject({ kind: 'ok', reward: 1 });
    expect(JSON.parse(runtime.sends[0]!.body)).toHaveProperty('_config');
  });

  it.each<[string, SessionScript, object]>([
    [
      'an error',
      rip({ error: 'no more tokens' }),
      {
        kind: 'agent_error',
        error: { code: 'ART_AGENT_ERROR', message: expect.stringMatching(/no more tokens/) as string },
        document: { status_code: 500, stop_reason: 'no more tokens' },
      },
    ],
    [
      'an outage of its model',
      rip({
        says: {
          status: 'completed',
          error: 'http://gw/v1 refused the connection',
          failure: { statusCode: 503, stopReason: 'infrastructure_error' },
        },
      }),
      {
        kind: 'infra_error',
        error: {
          code: 'ART_INFRASTRUCTURE_ERROR',
          message: expect.stringContaining('refused the connection') as string,
        },
      },
    ],
    ['a text', rip({ result: 'hello' }), { kind: 'ok', document: { result: 'hello' }, reward: undefined }],
    ['null', rip({ result: null }), { kind: 'ok', document: { result: null } }],
    ['rewards of turns', rip({ result: { rewards: [0, 1] } }), { kind: 'ok', reward: 1 }],
    [
      'a reward that is no number',
      rip({ result: { reward: '1' } }),
      { kind: 'ok', reward: undefined, rewardProblem: { kind: 'not_a_number' } },
    ],
    [
      'a machine that died',
      rip({ diesAfterMs: 1_000, storesNothing: true }),
      {
        kind: 'lost',
        error: {
          code: 'ART_ROLLOUT_LOST',
          message: expect.stringMatching(/never heard of the rollout/) as string,
        },
      },
    ],
    [
      'a process that died',
      rip({ says: { status: 'interrupted' } }),
      {
        kind: 'lost',
        error: { message: expect.stringMatching(/process that worked on the rollout died/) as string },
      },
    ],
    [
      'the answer of an agent that passes over the envelope',
      { result: { reward: 0.25 } },
      { kind: 'ok', reward: 0.25 },
    ],
    [
      'the promise of an agent that stores results',
      { answer: '{"status":"processing"}' },
      {
        kind: 'rejected',
        error: {
          code: 'ART_INVALID_REPLY',
          message: expect.stringMatching(/Give the client a bucket/) as string,
        },
      },
    ],
    [
      'a stream',
      { answer: 'data: {"text":"a"}\n\ndata: {"text":"b"}\n\n' },
      { kind: 'ok', document: { response: 'ab' } },
    ],
    [
      'a stream with an error',
      { answer: 'data: {"text":"a"}\n\nevent: error\ndata: no key\n\n' },
      { kind: 'agent_error' },
    ],
    [
      'a status of its own for a handler that failed',
      { failures: [424], failureMessage: 'Received error (500) from runtime. The agent said: no key' },
      {
        kind: 'agent_error',
        error: { message: expect.stringContaining('The agent said: no key') as string },
      },
    ],
    [
      'a status of a container that is gone',
      { failures: [424], failureMessage: 'Received error (502) from runtime.' },
      { kind: 'lost' },
    ],
    ['a page for browsers', { answer: '<html>' }, { kind: 'rejected', error: { code: 'ART_INVALID_REPLY' } }],
    ['nothing for ever', rip({ storesNothing: true }), { kind: 'timeout' }],
    [
      'no state of an invocation',
      rip({ storesNothing: true, says: 'nonsense' }),
      {
        kind: 'lost',
        error: { message: expect.stringMatching(/6 times in a row/) as string },
      },
    ],
  ])('takes %s for what it is', async (_name, script, expected) => {
    const outcome = await outcomeOf(script);
    expect(outcome).toMatchObject(expected);
  });

  it('notices a dead machine within seconds', async () => {
    await using client = makeClient();
    const batch = client.runBatch([{ script: rip({ diesAfterMs: 20_000, storesNothing: true }) }], {
      maxConcurrentSessions: 1,
      retry: { lost: 0 },
    });
    const [item] = await inFakeTime(Array.fromAsync(batch));
    expect(item!.timings.settledMs).toBeLessThan(24_000);
  });

  it('runs nothing twice when an answer is lost on the way', async () => {
    const script = rip({ failures: [0, 502], deliversDespiteFailure: true, storeAfterMs: 10_000 });
    expect(await outcomeOf(script)).toMatchObject({ kind: 'ok' });
    expect(runtime.sends.length).toBe(3);
    expect([...runtime.handlerRuns.values()]).toEqual([1]);
  });

  it('takes a result from the last moment', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: rip({ storeAfterMs: 1_000 }) }));
    const outcome = await inFakeTime(future.outcome({ timeoutMs: 1_001 }));
    expect(outcome.kind).toBe('ok');
  });

  it.each<[string, Partial<RolloutClientOptions>]>([
    ['bucket', { store: new ScriptedRuntime().store, expId: 'e' }],
    ['bucket', { results: 'store' }],
    ['expId', { bucket: 'b', store: new ScriptedRuntime().store }],
    ['store', { bucket: 'b', expId: 'e' }],
    ['results', { results: 's3' as 'store' }],
    ['resultCallsPerSecond', { resultCallsPerSecond: 0 }],
  ])('is refused where %s does not fit', (name, options) => {
    expect(() => makeClient(options)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }),
    );
  });

  it.each(['_config', '_rollout', '_agentcore_runtime'])('refuses a payload that has %s', async (field) => {
    await using client = makeClient();
    await expect(client.invoke({ [field]: {} })).rejects.toMatchObject({ code: 'ART_INVALID_PAYLOAD' });
  });

  it('refuses two rollouts in one session at a time', async () => {
    await using client = makeClient();
    const choices = { sessionId: '0a1b2c3d-0000-4000-8000-000000000001' };
    const future = await inFakeTime(client.invoke({ script: rip() }, choices));
    await expect(client.invoke({ script: rip() }, choices)).rejects.toMatchObject({
      code: 'ART_DUPLICATE_ROLLOUT',
    });
    await inFakeTime(future.result());
    await inFakeTime(client.close());
  });
});

describe('background: false', () => {
  it('resolves with the result that came on the connection', async () => {
    await using client = makeClient({ bucket: 'b', expId: 'e', store: runtime.store });
    const script = rip({ storeAfterMs: 5_000, result: { reward: 1 } });
    const future = await inFakeTime(client.invoke({ script }, { background: false }));
    expect(future.done()).toBe(true);
    expect(await future.result()).toEqual({ reward: 1 });
    const body = JSON.parse(runtime.sends[0]!.body) as Record<string, Record<string, unknown>>;
    expect(body['_agentcore_runtime']).toMatchObject({ background: false });
    expect(body).not.toHaveProperty('_rollout');
    expect(runtime.questions).toEqual([]);
    await inFakeTime(client.close());
    expect(runtime.live.size).toBe(0);
  });

  it('waits for the same execution when the connection breaks', async () => {
    await using client = makeClient();
    const script = rip({ failures: [0], deliversDespiteFailure: true, storeAfterMs: 5_000 });
    const future = await inFakeTime(client.invoke({ script }, { background: false }));
    expect(await inFakeTime(future.result())).toEqual({ reward: 1 });
    expect([...runtime.handlerRuns.values()]).toEqual([1]);
  });
});

describe('runs without a bucket', () => {
  const seconds = (n: number): SessionScript => rip({ storeAfterMs: n * 1_000, result: { reward: n } });

  it('yields batches, retries what was lost and reports progress', async () => {
    await using client = makeClient();
    let settled = 0;
    const dies = rip({ diesAfterMs: 100, storesNothing: true });
    const batch = client.runBatch([{ script: seconds(1) }, { script: dies }, { script: seconds(30) }], {
      maxConcurrentSessions: 3,
      onProgress: (progress) => (settled = progress.done),
    });
    const items = await inFakeTime(Array.fromAsync(batch));
    const byIndex = items.toSorted((a, b) => a.index - b.index);
    expect(byIndex.map(({ outcome }) => outcome.kind)).toEqual(['ok', 'lost', 'ok']);
    expect(byIndex[1]!.attempts.map(({ outcome }) => outcome!.kind)).toEqual(['lost', 'lost', 'lost']);
    expect(settled).toBe(3);
    expect(runtime.live.size).toBe(0);
  });

  it('yields groups by `reward` and by `rewards`, without members that were lost', async () => {
    await using client = makeClient();
    const inputs = [
      { script: rip({ result: { reward: 0.5 } }) },
      { script: rip({ result: { rewards: [0, 0.25] } }) },
      { script: rip({ diesAfterMs: 100, storesNothing: true }) },
    ];
    const groups = client.runGroups(inputs, { maxConcurrentSessions: 8, rolloutsPerInput: 2 });
    const settled = await inFakeTime(Array.fromAsync(groups));
    const [first, second, third] = settled.toSorted((a, b) => a.index - b.index);
    expect([first!.rewards, second!.rewards]).toEqual([
      [0.5, 0.5],
      [0.25, 0.25],
    ]);
    expect(third!.usable).toBe(false);
    expect(runtime.live.size).toBe(0);
  });

  it('captures tokens at a gateway, whose address and key go into _config', async () => {
    const gateway = new FakeGateway();
    gateway.apiKey = 'k';
    await using client = makeClient({ gateway });
    const payloads = [{ script: rip({ result: { reward: 0.5 } }) }, { script: rip({ error: 'x' }) }];
    const batch = client.runBatch(payloads, { maxConcurrentSessions: 2 });
    const items = (await inFakeTime(Array.fromAsync(batch))).toSorted((a, b) => a.index - b.index);
    const { sessionId } = items[0]!;
    expect(JSON.parse(runtime.sends[0]!.body)).toMatchObject({
      _config: { base_url: gateway.baseUrlOf(sessionId), api_key: 'k' },
    });
    expect(await items[0]!.trajectory()).toMatchObject({ sessionId, reward: 0.5, rows: [{}] });
    // What a handler failed at is dropped there.
    expect([...gateway.sessions.keys()]).toEqual([sessionId]);
    await inFakeTime(client.close());
  });

  it('runs again what was read and not acknowledged before a crash, for its result went with its session', async () => {
    const journal = new MemoryJournal();
    const mortal = new MortalRuntime(runtime);
    const dying = makeClient({ runtime: mortal });
    const payloads = [{ script: seconds(1) }, { script: seconds(2) }];
    const options = { maxConcurrentSessions: 2, journal: { journal, runId: 'r' } };
    const batch = dying.runBatch(payloads, options);
    await inFakeTime(batch.next());
    await vi.advanceTimersByTimeAsync(10_000);
    const copy = new MemoryJournal();
    copy.runs.set('r', [...journal.runs.get('r')!]);
    mortal.isDead = true;
    vi.clearAllTimers();
    const other = makeClient();
    const items = await inFakeTime(Array.fromAsync(other.resume({ journal: copy, runId: 'r' }, payloads)));
    expect(items.map(({ outcome }) => outcome.kind)).toEqual(['ok', 'ok']);
    expect(items[0]!.attempts[0]!.outcome).toMatchObject({
      kind: 'cancelled',
      error: { message: expect.stringMatching(/read the result/) as string },
    });
    expect([...runtime.handlerRuns.values()]).toEqual([1, 1, 1, 1]);
    await inFakeTime(other.close());
    expect(runtime.live.size).toBe(0);
  });

  it('resumes by ids alone: live sessions are waited for, ended ones read, and nothing runs twice', async () => {
    const journal = new MemoryJournal();
    const payloads = [1, 20, 60].map((n) => ({ script: seconds(n) }));
    const mortal = new MortalRuntime(runtime);
    const dying = makeClient({ runtime: mortal });
    const options = { maxConcurrentSessions: 3, journal: { journal, runId: 'r' } };
    const batch = dying.runBatch(payloads, options);
    const never = batch.next();
    never.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(200);
    mortal.isDead = true;
    const copy = new MemoryJournal();
    copy.runs.set('r', [...journal.runs.get('r')!]);
    await vi.advanceTimersByTimeAsync(30_000);
    const other = makeClient();
    const items: BatchItem[] = await inFakeTime(
      Array.fromAsync(other.resume({ journal: copy, runId: 'r' }, payloads)),
    );
    expect(items.map(({ index, outcome }) => [index, outcome.kind])).toEqual(
      expect.arrayContaining([
        [0, 'ok'],
        [1, 'ok'],
        [2, 'ok'],
      ]),
    );
    expect([...runtime.handlerRuns.values()]).toEqual([1, 1, 1]);
    await inFakeTime(other.close());
    expect(runtime.live.size).toBe(0);
    vi.clearAllTimers();
  });

  it('refuses to resume a run whose results are stored', async () => {
    const journal = new MemoryJournal();
    const client = makeClient({ bucket: 'b', expId: 'e', store: runtime.store });
    const choice = { journal, runId: 'r' };
    await inFakeTime(Array.fromAsync(client.runBatch([{}], { maxConcurrentSessions: 1, journal: choice })));
    await inFakeTime(client.close());
    const other = makeClient();
    await expect(inFakeTime(Array.fromAsync(other.resume(choice, [{}])))).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    await inFakeTime(other.close());
  });
});

describe('the pace of questions', () => {
  // The quantiles of a lognormal distribution, so that a run is the same every time.
  const durations = (count: number, medianMs: number, sigma: number): number[] =>
    Array.from({ length: count }, (_, n) => {
      const u = ((n * 0.618_033_988_75) % 1) * 0.998 + 0.001;
      const v = (n * 0.754_877_666_2) % 1;
      return medianMs * Math.exp(sigma * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v));
    });

  it('notices 512 rollouts of 20 s soon, with few questions, within its budget', async () => {
    await using client = makeClient();
    const lasting = durations(512, 20_000, 0.6);
    const perSecond = new Map<number, number>();
    const counted = new Proxy(runtime.questions, {
      set(target, name, value) {
        if (name === 'length') return Reflect.set(target, name, value);
        const second = Math.floor(Date.now() / 1_000);
        perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
        return Reflect.set(target, name, value);
      },
    });
    Object.assign(runtime, { questions: counted });
    const batch = client.runBatch(
      lasting.map((storeAfterMs) => ({ script: rip({ storeAfterMs }) })),
      { maxConcurrentSessions: 512 },
    );
    const items = await inFakeTime(Array.fromAsync(batch));
    const lags = items
      .map(({ index, timings }) => timings.noticedMs! - timings.acceptedMs! - lasting[index]! + 10)
      .toSorted((a, b) => a - b);
    expect(lags[255]).toBeLessThan(1_500);
    expect(lags[506]).toBeLessThan(4_000);
    expect(runtime.questions.length / 512).toBeLessThan(12);
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(300);
  });
});
