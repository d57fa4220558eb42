import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime } from '../scripted-runtime.fixture.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import { EventStream } from './event-stream.ts';
import { RolloutClient } from '../client/rollout-client.ts';

const event = (atMs: number): RolloutEvent => ({ type: 'store_recovered', failedSweeps: 1, atMs });

describe('EventStream', () => {
  it('hands events over in order, those that wait and those that come', async () => {
    const stream = new EventStream(10, () => undefined);
    stream.push(event(1));
    stream.push(event(2));
    expect((await stream.next()).value).toMatchObject({ atMs: 1 });
    expect((await stream.next()).value).toMatchObject({ atMs: 2 });
    const next = stream.next();
    stream.push(event(3));
    expect((await next).value).toMatchObject({ atMs: 3 });
    stream.push(event(4));
    stream.end();
    expect((await Array.fromAsync(stream)).map((one) => one.atMs)).toEqual([4]);
  });

  it('says how many it dropped, in their place', async () => {
    const stream = new EventStream(10, () => undefined);
    for (let atMs = 0; atMs < 100; atMs += 1) stream.push(event(atMs));
    stream.end();
    const [first, ...rest] = await Array.fromAsync(stream);
    expect(first).toMatchObject({ type: 'dropped' });
    expect(first?.type === 'dropped' && first.count + rest.length).toBe(100);
    expect(rest.at(-1)).toMatchObject({ atMs: 99 });
  });

  it('ends once', () => {
    const onEnd = vi.fn();
    const stream = new EventStream(10, onEnd);
    stream.end();
    stream.end();
    expect(onEnd).toHaveBeenCalledOnce();
  });
});

describe('client.events', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells of single rollouts and of batches, until the client is closed', async () => {
    const runtime = new ScriptedRuntime();
    const client = new RolloutClient({ runtime, store: runtime.store, bucket: 'b', expId: 'e' });
    const all = Array.fromAsync(client.events());
    const abort = new AbortController();
    const some = Array.fromAsync(client.events({ signal: abort.signal }));
    const future = await inFakeTime(client.invoke({}));
    await inFakeTime(future.result());
    abort.abort();
    await inFakeTime(Array.fromAsync(client.runBatch([{}, {}], { maxConcurrentSessions: 2 })));
    await inFakeTime(client.close());
    const types = (await all).map((one) => one.type);
    expect(types.filter((type) => type === 'settled')).toHaveLength(3);
    expect(types.slice(0, 4)).toEqual(['submitted', 'accepted', 'noticed', 'settled']);
    expect((await some).filter((one) => one.type === 'settled')).toHaveLength(1);
    expect(await Array.fromAsync(client.events())).toEqual([]);
    expect(() => client.events({ capacity: 0 })).toThrow(/capacity/);
  });
});
