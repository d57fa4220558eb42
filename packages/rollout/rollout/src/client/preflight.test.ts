import { MemoryResultStore, StoreError, type ResultStore } from '@art/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { MemoryJournal } from '../recording/memory-journal.fixture.ts';
import { minimalStore, ScriptedRuntime } from '../scripted-runtime.fixture.ts';
import { RolloutClient } from './rollout-client.ts';
import type { RolloutClientOptions } from './rollout-client-options.ts';

const bucket = 'results';
const failure = (code: 'ART_STORE_NO_BUCKET' | 'ART_STORE_BUSY', retryable: boolean): StoreError =>
  new StoreError({ code, retryable, operation: 'list', bucket, key: 'e/', message: 'Create the bucket.' });
const noBucket = failure('ART_STORE_NO_BUCKET', false);
const busy = failure('ART_STORE_BUSY', true);

let runtime: ScriptedRuntime;
let memory: MemoryResultStore;

function clientOn(store: ResultStore, options: Partial<RolloutClientOptions> = {}): RolloutClient {
  return new RolloutClient({
    runtime,
    store,
    bucket,
    expId: 'e',
    onWarning: () => undefined,
    ...options,
  });
}

/** The memory store, without push, with another answer to everything that is asked. */
function failing(answer: () => Promise<never>, methods: readonly (keyof ResultStore)[]): ResultStore {
  const store: ResultStore = { ...minimalStore(memory), list: (range) => memory.list(range) };
  for (const method of methods) store[method] = answer;
  return store;
}

beforeEach(() => {
  vi.useFakeTimers();
  memory = new MemoryResultStore();
  runtime = new ScriptedRuntime(memory);
});
afterEach(() => {
  runtime.clearTimers();
  vi.useRealTimers();
});

describe('a store from which nothing can be read', () => {
  const lasting = (): ResultStore => failing(() => Promise.reject(noBucket), ['list', 'get', 'exists']);

  it('ends a single rollout, a batch and a run of groups before anything is sent or written down', async () => {
    await using client = clientOn(lasting());
    const journal = new MemoryJournal();
    const options = { maxConcurrentSessions: 2, journal };
    const attempts = [
      client.invoke({}),
      client.runBatch([{}, {}], options).next(),
      client.runGroups([{}, {}], { ...options, rolloutsPerInput: 2 }).next(),
    ];
    const ended = await inFakeTime(Promise.allSettled(attempts as Promise<unknown>[]));
    expect(ended).toEqual(attempts.map(() => ({ status: 'rejected', reason: noBucket })));
    expect(runtime.sends).toEqual([]);
    expect(await journal.list()).toEqual([]);
  });

  it('is asked again by the next rollout, so that one who creates the bucket can continue', async () => {
    const store = lasting();
    await using client = clientOn(store);
    await expect(inFakeTime(client.invoke({}))).rejects.toBe(noBucket);
    Object.assign(store, minimalStore(memory), { list: memory.list.bind(memory) });
    const future = await inFakeTime(client.invoke({}));
    expect(await inFakeTime(future.outcome())).toMatchObject({ kind: 'ok' });
  });

  it('is not asked where it is not to be', async () => {
    await using client = clientOn(lasting(), { checkStore: false });
    const future = await inFakeTime(client.invoke({}));
    expect(runtime.sends).toHaveLength(1);
    await inFakeTime(future.cancel());
  });
});

describe('the question', () => {
  it('is one listing of a single key of the experiment, once a client', async () => {
    const list = vi.fn<NonNullable<ResultStore['list']>>((range) => memory.list(range));
    await using client = clientOn({ ...minimalStore(memory), list });
    await Promise.all(
      [client.invoke({}), client.invoke({})].map(async (one) => (await inFakeTime(one)).cancel()),
    );
    expect(list.mock.calls.map(([range]) => range)).toEqual([{ bucket, prefix: 'e/', limit: 1 }]);
  });

  it("is the store's own where it has one, and a look for a key where it cannot list", async () => {
    const check = vi.fn(() => Promise.resolve());
    await using own = clientOn({ ...minimalStore(memory), check });
    await (await inFakeTime(own.invoke({}))).cancel();
    expect(check).toHaveBeenCalledOnce();
    const exists = vi.fn(() => Promise.reject(noBucket));
    await using least = clientOn({ ...minimalStore(memory), exists });
    await expect(inFakeTime(least.invoke({}))).rejects.toBe(noBucket);
  });

  it.each([
    ['is busy', () => Promise.reject(busy)],
    ['says nothing', () => new Promise<never>(() => undefined)],
  ])('holds nobody up where the store %s', async (_, check) => {
    await using client = clientOn({ ...minimalStore(memory), check });
    const future = await inFakeTime(client.invoke({}));
    expect(await inFakeTime(future.outcome())).toMatchObject({ kind: 'ok' });
  });

  it('ends with the signal of its caller', async () => {
    await using client = clientOn({ ...minimalStore(memory), check: () => new Promise(() => undefined) });
    const reason = new Error('enough');
    const abort = new AbortController();
    const waiting = client.invoke({}, { signal: abort.signal });
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(runtime.sends).toEqual([]);
    await inFakeTime(Promise.resolve());
  });
});

describe('a store that fails after the first rollout was sent', () => {
  const timedOut = async (store: ResultStore): Promise<unknown> => {
    await using client = clientOn(store, { liveness: false });
    const future = await inFakeTime(client.invoke({ script: { storesNothing: true } }));
    const outcome = await inFakeTime(future.outcome({ timeoutMs: 30_000 }));
    await inFakeTime(client.close());
    expect(runtime.live.size).toBe(0);
    return outcome;
  };

  it.each([
    ['answers nothing', 'ART_STORE_FAILED', () => new Promise<never>(() => undefined)],
    ['is busy', 'ART_STORE_BUSY', () => Promise.reject(busy)],
    ['has lost its bucket', 'ART_STORE_NO_BUCKET', () => Promise.reject(noBucket)],
  ])('makes an outcome that names it: it %s', async (_, code, answer) => {
    const store = failing(answer, []);
    setTimeout(() => Object.assign(store, failing(answer, ['list', 'get', 'exists'])), 1_000);
    expect(await timedOut(store)).toMatchObject({
      kind: 'infra_error',
      error: { code, bucket, message: expect.stringMatching(/the store could not be asked/) as string },
    });
  });

  it('is found out where it answers of every key that it is not there', async () => {
    const store = failing(() => Promise.reject(noBucket), []);
    let isHiding = false;
    store.check = () => (isHiding ? Promise.reject(noBucket) : Promise.resolve());
    setTimeout(() => (isHiding = true), 1_000);
    expect(await timedOut(store)).toMatchObject({
      kind: 'infra_error',
      error: { code: 'ART_STORE_NO_BUCKET' },
    });
  });

  it.each([
    ['says so', false],
    ['answers of every key that it is not there', true],
  ])('is named at once, and nothing runs again, where it refuses and %s', async (_, isHiding) => {
    const denied = new StoreError({
      code: 'ART_STORE_DENIED',
      retryable: false,
      operation: 'get',
      bucket,
      key: 'e/',
      message: 'Allow s3:GetObject.',
    });
    const deny = (): Promise<never> => Promise.reject(denied);
    const store = failing(deny, []);
    store.check = () => Promise.resolve();
    setTimeout(() => {
      Object.assign(store, failing(deny, ['list', 'get', 'exists']), { check: deny });
      if (!isHiding) return;
      store.get = () => Promise.resolve(undefined);
      store.exists = () => Promise.resolve(false);
    }, 1_000);
    await using client = clientOn(store);
    const payloads = Array.from({ length: 3 }, () => ({ script: { speaksRip: true, storeAfterMs: 5_000 } }));
    const batch = client.runBatch(payloads, { maxConcurrentSessions: 3, timeoutMs: 300_000 });
    const items = await inFakeTime(Array.fromAsync(batch));
    for (const { outcome, attempts } of items) {
      expect(outcome).toMatchObject({ kind: 'infra_error', error: { code: 'ART_STORE_DENIED' } });
      expect(attempts).toHaveLength(1);
    }
    expect([...runtime.handlerRuns.values()]).toEqual([1, 1, 1]);
    await inFakeTime(client.close());
    expect(runtime.live.size).toBe(0);
  });

  it('is not blamed for an agent that stores nothing', async () => {
    expect(await timedOut(failing(() => Promise.reject(busy), []))).toMatchObject({ kind: 'timeout' });
  });
});

describe('a runtime that could not send anything', () => {
  it('says so before the first rollout', async () => {
    const error = new Error('no region');
    const broken = { invoke: runtime.invoke, stop: runtime.stop, check: () => Promise.reject(error) };
    await using client = clientOn(memory, { runtime: broken });
    await expect(inFakeTime(client.runBatch([{}], { maxConcurrentSessions: 1 }).next())).rejects.toBe(error);
    expect(runtime.sends).toEqual([]);
  });
});
