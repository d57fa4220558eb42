import { ArtError } from '@art/ground';
import { MemoryResultStore } from '@art/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { MemoryJournal } from '../recording/memory-journal.fixture.ts';
import { minimalStore, ScriptedRuntime } from '../scripted-runtime.fixture.ts';
import { RolloutClient } from './rollout-client.ts';
import type { RolloutClientOptions, RuntimeFactory } from './rollout-client-options.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { RolloutFuture } from './rollout-future.ts';

const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';
const warnings: string[] = [];
let runtime: ScriptedRuntime;

function makeClient(options: Partial<RolloutClientOptions> = {}): RolloutClient {
  return new RolloutClient({
    runtime,
    store: runtime.store,
    bucket: 'results',
    expId: 'run-1',
    onWarning: (message) => warnings.push(message),
    ...options,
  });
}

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

beforeEach(() => {
  vi.useFakeTimers();
  warnings.length = 0;
  runtime = new ScriptedRuntime();
});
afterEach(() => {
  runtime.clearTimers();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('invoke', () => {
  it('resolves when the agent has accepted; the result comes later, and the session is stopped once', async () => {
    await using client = makeClient({
      baseUrl: 'http://gw/v1',
      modelId: 'm',
      extraConfig: { temperature: 0.7 },
    });
    const future = await inFakeTime(
      client.invoke({ prompt: 'hi', script: { storeAfterMs: 1_000 } }, { inputId: 'in1', sessionId }),
    );
    expect(future.done()).toBe(false);
    expect(future.state.phase).toBe('running');
    expect(future.resultKey).toBe(`run-1/in1/${sessionId}.json`);
    expect(JSON.parse(runtime.sends[0]!.body)).toEqual({
      prompt: 'hi',
      script: { storeAfterMs: 1_000 },
      _rollout: {
        exp_id: 'run-1',
        input_id: 'in1',
        s3_bucket: 'results',
        temperature: 0.7,
        base_url: 'http://gw/v1',
        model_id: 'm',
      },
      _agentcore_runtime: {
        version: 1,
        operation: 'start',
        invocation_id: expect.any(String) as string,
        background: true,
      },
    });
    expect(await inFakeTime(future.result())).toEqual({ rewards: 1, status_code: 200 });
    expect(await future.result()).toEqual({ rewards: 1, status_code: 200 });
    expect(future.done()).toBe(true);
    expect(future.elapsedMs).toBeGreaterThanOrEqual(990);
    await inFakeTime(client.close());
    expect(runtime.stops).toEqual([sessionId]);
  });

  it('gives a handle that is not thenable', async () => {
    await using client = makeClient();
    const future: RolloutFuture = await inFakeTime(client.invoke({}));
    expect('then' in future).toBe(false);
    await inFakeTime(future.result());
    await inFakeTime(client.close());
  });

  it('fetches the result and stops the session even if nobody waits', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({}));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(future.done()).toBe(true);
    expect(runtime.live.size).toBe(0);
    await inFakeTime(client.close());
  });

  it('finds results in a store that can neither list nor push', async () => {
    await using client = makeClient({ store: minimalStore(runtime.store) });
    const future = await inFakeTime(client.invoke({}));
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    await inFakeTime(client.close());
  });

  it("finds a result that was stored before the agent's answer came", async () => {
    const store = new MemoryResultStore();
    runtime = new ScriptedRuntime(store);
    await using client = makeClient();
    const warm = await inFakeTime(client.invoke({}));
    await inFakeTime(warm.result());
    // The push for this one comes while the answer is still on its way.
    const pending = client.invoke(
      { script: { acceptAfterMs: 100, storesNothing: true } },
      { inputId: 'early', sessionId },
    );
    await vi.advanceTimersByTimeAsync(50);
    await store.put({ bucket: 'results', key: `run-1/early/${sessionId}.json` }, '{"rewards": 3}');
    const future = await inFakeTime(pending);
    expect(await inFakeTime(future.result({ timeoutMs: 1_000 }))).toEqual({ rewards: 3 });
    await inFakeTime(client.close());
  });

  it('maps overrides to their wire names and addresses the result by what was really sent', async () => {
    await using client = makeClient({ baseUrl: 'http://gw/v1' });
    const future = await inFakeTime(
      client.invoke(
        {},
        {
          overrides: {
            expId: 'other',
            bucket: 'other-results',
            baseUrl: 'http://x',
            top_p: 0.5,
            samplingParams: { n: 1 },
          },
          inputId: 'i',
          sessionId,
        },
      ),
    );
    expect(future.bucket).toBe('other-results');
    expect(future.resultKey).toBe(`other/i/${sessionId}.json`);
    expect((JSON.parse(runtime.sends[0]!.body) as { _rollout: object })._rollout).toMatchObject({
      exp_id: 'other',
      s3_bucket: 'other-results',
      base_url: 'http://x',
      top_p: 0.5,
      sampling_params: { n: 1 },
    });
    await inFakeTime(future.result());
    await inFakeTime(client.close());
  });

  it('generates input ids that sort by submission', async () => {
    await using client = makeClient();
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const future = await inFakeTime(client.invoke({}));
      ids.push(future.inputId);
      await inFakeTime(future.result());
    }
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(0, -8))).size).toBe(1);
    await inFakeTime(client.close());
  });

  it.each<[string, unknown, object, string]>([
    ['a payload that is no object', [1], {}, 'ART_INVALID_PAYLOAD'],
    ['a payload with _rollout', { _rollout: {} }, {}, 'ART_INVALID_PAYLOAD'],
    ['a payload that JSON cannot hold', { x: Number.NaN }, {}, 'ART_JSON_WRITE'],
    ['a short session id', {}, { sessionId: 'short' }, 'ART_INVALID_SESSION_ID'],
    ['an input id that escapes', {}, { inputId: '../x' }, 'ART_INVALID_RESULT_KEY'],
  ])('refuses %s before anything is sent', async (_, payload, options, code) => {
    await using client = makeClient();
    await expect(inFakeTime(client.invoke(payload as Record<string, unknown>, options))).rejects.toThrow(
      withCode(code),
    );
    expect(runtime.sends).toHaveLength(0);
    expect(runtime.stops).toHaveLength(0);
  });

  it('refuses a second rollout with the key of an outstanding one', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({}, { inputId: 'i', sessionId }));
    await expect(client.invoke({}, { inputId: 'i', sessionId })).rejects.toThrow(
      withCode('ART_DUPLICATE_ROLLOUT'),
    );
    await inFakeTime(future.result());
    await inFakeTime(client.close());
  });

  it.each([
    [429, 'ART_RUNTIME_THROTTLED', 0],
    [402, 'ART_RUNTIME_QUOTA', 0],
    [403, 'ART_RUNTIME_REJECTED', 0],
    [424, 'ART_CONTAINER_ERROR', 1],
  ])(
    'rejects when the runtime answers %d, and stops only a session that may exist',
    async (status, code, stops) => {
      await using client = makeClient();
      await expect(inFakeTime(client.invoke({ script: { failures: [status] } }))).rejects.toThrow(
        withCode(code),
      );
      expect(runtime.sends).toHaveLength(1);
      expect(runtime.stops).toHaveLength(stops);
    },
  );

  it("rejects an answer that is not a rollout agent's, and stops the session", async () => {
    await using client = makeClient();
    await expect(inFakeTime(client.invoke({ script: { answer: 'OK' } }))).rejects.toThrow(
      withCode('ART_INVALID_REPLY'),
    );
    expect(runtime.live.size).toBe(0);
  });

  it.each([
    '{"status":"processing"}',
    '{"status":"processing","s3_bucket":"results","result_key":"elsewhere/x.json"}',
  ])('rejects an agent that would store elsewhere: %s', async (answer) => {
    await using client = makeClient();
    await expect(inFakeTime(client.invoke({ script: { answer } }))).rejects.toThrow(
      withCode('ART_RESULT_KEY_MISMATCH'),
    );
    expect(runtime.live.size).toBe(0);
  });

  it('looks in the store before it sends again what may have been delivered', async () => {
    await using client = makeClient();
    const future = await inFakeTime(
      client.invoke({
        script: { failures: [503], deliversDespiteFailure: true, storeAfterMs: 0, acceptAfterMs: 100 },
      }),
    );
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    // The document came at the moment of the failure, so one look was enough, or the repeat was recognisable.
    expect(new Set(runtime.sends.map((send) => send.sessionId)).size).toBe(1);
    await inFakeTime(client.close());
    expect(runtime.live.size).toBe(0);
  });

  it('sends the same again, invocation id included, then gives up', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { failures: [500, 0] } }));
    expect(runtime.sends).toHaveLength(3);
    const [first, ...repeats] = runtime.sends;
    for (const repeat of repeats) expect(repeat).toEqual(first);
    await inFakeTime(future.result());
    await expect(inFakeTime(client.invoke({ script: { failures: [500, 500, 500] } }))).rejects.toThrow(
      withCode('ART_RUNTIME_UNAVAILABLE'),
    );
    await inFakeTime(client.close());
    expect(runtime.live.size).toBe(0);
  });

  it('stops what an aborted submission may have started', async () => {
    await using client = makeClient();
    const abort = new AbortController();
    const pending = client.invoke({ script: { acceptAfterMs: 5_000 } }, { signal: abort.signal });
    await vi.advanceTimersByTimeAsync(100);
    expect(runtime.live.size).toBe(1);
    abort.abort(new Error('enough'));
    await expect(inFakeTime(pending)).rejects.toThrow('enough');
    expect(runtime.live.size).toBe(0);
  });
});

describe('RolloutFuture', () => {
  it('times out while the session lives: timeout, and the session is stopped', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { storesNothing: true } }));
    await expect(inFakeTime(future.result({ timeoutMs: 3_000 }))).rejects.toThrow(
      withCode('ART_ROLLOUT_TIMEOUT'),
    );
    expect(await future.outcome()).toMatchObject({ kind: 'timeout' });
    expect(runtime.live.size).toBe(0);
    await inFakeTime(client.close());
    expect(runtime.stops).toHaveLength(1);
  });

  it('times out after the session died: lost', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { storesNothing: true, diesAfterMs: 500 } }));
    expect(await inFakeTime(future.outcome({ timeoutMs: 3_000 }))).toMatchObject({
      kind: 'lost',
      error: { code: 'ART_ROLLOUT_LOST' },
    });
  });

  it('takes a result that is there at the deadline although nobody noticed', async () => {
    const hidden = new MemoryResultStore();
    runtime = new ScriptedRuntime(hidden);
    const blind = { ...minimalStore(hidden), exists: () => Promise.resolve(false) };
    await using client = makeClient({ store: blind });
    const future = await inFakeTime(client.invoke({}));
    expect(await inFakeTime(future.outcome({ timeoutMs: 3_000 }))).toMatchObject({ kind: 'ok', reward: 1 });
    await inFakeTime(client.close());
  });

  it('an aborted wait leaves the rollout alone', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { storeAfterMs: 1_000 } }));
    const abort = new AbortController();
    const wait = future.result({ signal: abort.signal });
    abort.abort(new Error('not now'));
    await expect(wait).rejects.toThrow('not now');
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    await inFakeTime(client.close());
  });

  it('cancel stops the session and settles as cancelled; afterwards it says false', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { storeAfterMs: 60_000 } }));
    const wait = future.result();
    wait.catch(() => undefined);
    expect(await inFakeTime(future.cancel('changed my mind'))).toBe(true);
    await expect(wait).rejects.toThrow(withCode('ART_ROLLOUT_CANCELLED'));
    expect(runtime.live.size).toBe(0);
    const done = await inFakeTime(client.invoke({}));
    await inFakeTime(done.result());
    expect(await inFakeTime(done.cancel())).toBe(false);
    expect(runtime.stops).toHaveLength(2);
  });

  it('gives the document of a handler that failed, and the outcome tells it apart', async () => {
    await using client = makeClient();
    const text = '{"status_code": 500, "stop_reason": "boom", "traceback": "..."}';
    const future = await inFakeTime(client.invoke({ script: { text } }));
    expect(await inFakeTime(future.result())).toMatchObject({ status_code: 500 });
    const outcome = await future.outcome();
    expect(outcome).toMatchObject({ kind: 'agent_error', document: { status_code: 500, traceback: '...' } });
    expect(outcome.kind === 'agent_error' && outcome.error.message).toMatch(/status 500: boom/);
    await inFakeTime(client.close());
  });

  it('an unreadable document is an invalid_result with its text', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { text: '<html>' } }));
    expect(await inFakeTime(future.outcome())).toMatchObject({ kind: 'invalid_result', text: '<html>' });
    await expect(future.result()).rejects.toThrow(withCode('ART_INVALID_DOCUMENT'));
    await inFakeTime(client.close());
  });

  it('a NaN reward, as a Python agent can store it, is no reward', async () => {
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { text: '{"rewards": NaN}' } }));
    expect(await inFakeTime(future.outcome())).toMatchObject({
      kind: 'ok',
      reward: undefined,
      document: { rewards: Number.NaN },
    });
    await inFakeTime(client.close());
  });

  it('survives a store that lists before it can read', async () => {
    const store = new MemoryResultStore();
    runtime = new ScriptedRuntime(store);
    let reads = 0;
    const lagging = {
      ...minimalStore(store),
      get: async (at: { bucket: string; key: string }) => ((reads += 1) < 4 ? undefined : store.get(at)),
    };
    await using client = makeClient({ store: lagging });
    const future = await inFakeTime(client.invoke({}));
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    expect(reads).toBe(4);
    await inFakeTime(client.close());
  });

  it('a result that cannot be read holds up no other', async () => {
    const store = minimalStore(runtime.store);
    const get = store.get.bind(store);
    store.get = async (at, options) => (at.key.includes('/broken/') ? undefined : get(at, options));
    await using client = makeClient({ store, watch: { concurrency: 1 } });
    const broken = await inFakeTime(client.invoke({ script: { storeAfterMs: 20 } }, { inputId: 'broken' }));
    const good = await inFakeTime(client.invoke({ script: { storeAfterMs: 3_000 } }, { inputId: 'good' }));
    const startedMs = Date.now();
    expect(await inFakeTime(good.outcome())).toMatchObject({ kind: 'ok' });
    expect(Date.now() - startedMs).toBeLessThan(5_000);
    expect(await inFakeTime(broken.outcome())).toMatchObject({ kind: 'invalid_result' });
    await inFakeTime(client.close());
  });

  it('gives a result up that stays unreadable', async () => {
    const denied = { ...minimalStore(runtime.store), get: () => Promise.reject(new Error('access denied')) };
    await using client = makeClient({ store: denied, watch: { fetchGiveUpMs: 5_000 } });
    const future = await inFakeTime(client.invoke({}));
    const outcome = await inFakeTime(future.outcome());
    expect(outcome).toMatchObject({ kind: 'invalid_result', error: { code: 'ART_STORE_FAILED' } });
    expect(outcome.kind === 'invalid_result' && outcome.error.message).toMatch(/access denied/);
  });

  it('survives a store that fails for a while, and warns once when it lasts', async () => {
    let failures = 0;
    const flaky = {
      ...minimalStore(runtime.store),
      exists: (at: { bucket: string; key: string }) =>
        (failures += 1) <= 13 ? Promise.reject(new Error('SlowDown')) : runtime.store.exists(at),
    };
    await using client = makeClient({ store: flaky });
    const future = await inFakeTime(client.invoke({}));
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    expect(warnings).toEqual(['The result store has failed 5 times in a row: SlowDown']);
    await inFakeTime(client.close());
  });

  it('says which session could not be stopped', async () => {
    runtime.stopError = new Error('denied');
    await using client = makeClient();
    const future = await inFakeTime(client.invoke({}, { sessionId }));
    await inFakeTime(future.result());
    await inFakeTime(client.close());
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`Session ${sessionId} could not be stopped.*denied`)) as string,
    ]);
  });

  it('waits for stops last of all and not for ever, then names the sessions that are left', async () => {
    runtime.stopDelayMs = 10 ** 7;
    const client = makeClient({ stopTimeoutMs: 1_000 });
    const future = await inFakeTime(client.invoke({}, { sessionId }));
    await inFakeTime(future.result());
    const closedAtMs = performance.now();
    await inFakeTime(client.close());
    expect(performance.now() - closedAtMs).toBeLessThan(1_100);
    expect(warnings).toEqual([
      expect.stringContaining(`Session ${sessionId} is not stopped yet`),
      expect.stringMatching(new RegExp(`Not stopped before the client closed.*${sessionId}`)),
    ]);
  });
});

describe('RolloutClient', () => {
  it('close gives up what is outstanding and stops its sessions', async () => {
    const client = makeClient();
    const future = await inFakeTime(client.invoke({ script: { storesNothing: true } }));
    await inFakeTime(client.close());
    expect((await future.outcome()).kind).toBe('cancelled');
    expect(runtime.live.size).toBe(0);
    await expect(client.invoke({})).rejects.toThrow(withCode('ART_CLIENT_CLOSED'));
    expect(() => client.runBatch([], { maxConcurrentSessions: 1 })).toThrow(withCode('ART_CLIENT_CLOSED'));
    await client.close();
  });

  it('makes its runtime from the settings and closes it', async () => {
    const close = vi.fn();
    const made = vi.fn<RuntimeFactory>(() => Object.assign(runtime, { close }));
    const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a';
    const limits = { tpsLimit: 10, dataPlanePerSecond: 900, maxRetryAttempts: 2 };
    const client = makeClient({ runtime: made, agentRuntimeArn, ...limits });
    expect(made.mock.calls[0]?.[0]).toEqual({
      agentRuntimeArn,
      tpsLimit: 10,
      dataPlanePerSecond: 900,
      maxRetryAttempts: 2,
      maxPoolConnections: undefined,
    });
    await client.close();
    expect(close).toHaveBeenCalledOnce();
  });

  it('puts what its runtime reports among the events of a batch', async () => {
    const events: RolloutEvent[] = [];
    const client = makeClient({
      runtime: (_, onEvent) => ({
        invoke: (request, options) => {
          onEvent({ type: 'quota_paused', atMs: 1, sessionId: request.sessionId, probeInMs: 5 });
          return runtime.invoke(request, options);
        },
        stop: (id, options) => runtime.stop(id, options),
      }),
    });
    const batch = client.runBatch([{}], { maxConcurrentSessions: 1, onEvent: (event) => events.push(event) });
    await inFakeTime(Array.fromAsync(batch));
    expect(events.map((event) => event.type)).toContain('quota_paused');
    await inFakeTime(client.close());
  });

  it.each<[string, Record<string, unknown>]>([
    ['bucket', { bucket: '' }],
    ['expId', { expId: undefined }],
    ['runtime', { runtime: {} }],
    ['store', { store: undefined }],
    ['tpsLimit', { tpsLimit: 5 }],
    ['watch.lagBoundMs', { watch: { lagBoundMs: 0 } }],
    ['watch', { watch: 5 }],
    ['watch.concurrency', { watch: { concurrency: 1.5 } }],
    ['baseUrl', { baseUrl: 5 }],
    ['watch.fetchGiveUpMs', { watch: { fetchGiveUpMs: Number.NaN } }],
  ])('refuses a wrong %s', (name, options) => {
    expect(() => makeClient(options as Partial<RolloutClientOptions>)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }) as Error,
    );
  });

  it('refuses a wrong ARN and config that JSON cannot hold', () => {
    expect(() => makeClient({ agentRuntimeArn: 'arn:x' })).toThrow(withCode('ART_INVALID_ARN'));
    expect(() => makeClient({ extraConfig: { temperature: Number.NaN } })).toThrow(
      /\$\.extraConfig\.temperature/,
    );
    expect(ArtError.isInstance(new Error('x'))).toBe(false);
  });
});

describe('options that do not exist', () => {
  it.each<[string, () => unknown]>([
    ['baseUrl', () => makeClient({ baseURL: 'http://x' } as object)],
    ['stopTimeoutMs', () => makeClient({ stop_timeout_ms: 4 } as object)],
    ['maxConcurrentSessions', () => makeClient().runBatch([], { maxConcurrent: 4 } as never)],
    [
      'rolloutsPerInput',
      () => makeClient().runGroups([], { maxConcurrentSessions: 1, rolloutPerInput: 2 } as never),
    ],
    ['timeoutMs', () => makeClient().resume(new MemoryJournal(), [], { timeOut: 2 } as never)],
    ['capacity', () => makeClient().events({ capacty: 2 } as never)],
    ['maxTurns', () => makeClient({ gateway: { url: 'http://gw', maxTurn: 2 } } as object)],
    ['lagBoundMs', () => makeClient({ watch: { lagBound: 2 } } as object)],
  ])('are refused, and %s is suggested', (meant, act) => {
    expect(act).toThrow(`Did you mean ${meant}?`);
  });

  it('are refused where a rollout is sent, and where it is waited for', async () => {
    await using client = makeClient();
    await expect(client.invoke({}, { inputID: 'x' } as never)).rejects.toThrow('Did you mean inputId?');
    expect(runtime.sends).toEqual([]);
    const future = await inFakeTime(client.invoke({}));
    await expect(future.result({ timeout: 5 } as never)).rejects.toThrow('Did you mean timeoutMs?');
    await inFakeTime(future.result());
  });
});

describe('addresses that cannot be right', () => {
  it.each(['localhost:8000/v1', 'gateway', 'ftp://gateway/v1'])('refuses %s as baseUrl', (baseUrl) => {
    expect(() => makeClient({ baseUrl })).toThrow(/`baseUrl` to be an http or https URL/);
  });

  it('refuses those of a single rollout before it is sent', async () => {
    await using client = makeClient();
    await expect(client.invoke({}, { overrides: { baseUrl: 'localhost:8000' } })).rejects.toThrow(
      /Expected base_url to be an http or https URL/,
    );
    await expect(client.invoke({}, { overrides: { bucket: 'My_Bucket' } })).rejects.toThrow(
      withCode('ART_INVALID_BUCKET'),
    );
    expect(runtime.sends).toEqual([]);
  });
});
