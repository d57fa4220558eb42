import type { ArtError } from '@art/ground';
import type { AgentRuntime } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import type { RolloutClientOptions } from '../client/rollout-client-options.ts';
import { FakeGateway } from '../gateway/fake-gateway.fixture.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import { MemoryJournal } from './memory-journal.fixture.ts';

const preempted = new Error('preempted');
const clients: RolloutClient[] = [];
let runtime: ScriptedRuntime;
let journal: MemoryJournal;
let detach: AbortController;

const makeClient = (options: Partial<RolloutClientOptions> = {}): RolloutClient => {
  const client = new RolloutClient({ runtime, store: runtime.store, bucket: 'b', expId: 'e', ...options });
  clients.push(client);
  return client;
};

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  journal = new MemoryJournal();
  detach = new AbortController();
});
afterEach(async () => {
  runtime.clearTimers();
  for (const client of clients.splice(0)) await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

type Work = { n: number; script: SessionScript };
const works = (count: number, script: SessionScript): Work[] =>
  Array.from({ length: count }, (_, n) => ({ n, script: { speaksRip: true, ...script } }));
const leaving = () => ({ maxConcurrentSessions: 4, journal, detachSignal: detach.signal });
const records = (type: string): Record<string, unknown>[] =>
  [...journal.runs.values()]
    .flat()
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((record) => record['type'] === type);

/** Takes items until the loop ends; leaves after so many milliseconds. */
async function collectUntil<Item>(items: AsyncIterable<Item>, leaveAfterMs: number): Promise<Item[]> {
  const taken: Item[] = [];
  const loop = (async () => {
    for await (const item of items) taken.push(item);
  })();
  loop.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(leaveAfterMs);
  detach.abort(preempted);
  // At once: nothing is waited for but what was being stopped anyway.
  const leftAtMs = Date.now();
  await expect(inFakeTime(loop)).rejects.toBe(preempted);
  expect(Date.now() - leftAtMs).toBeLessThan(100);
  return taken;
}

describe('a run that is left by its detachSignal', () => {
  it('stops no session, lets the journal go, and is taken up where it was', async () => {
    const payloads = works(6, { storeAfterMs: 5_000 }).map((work, n) =>
      n < 2 ? { ...work, script: { ...work.script, storeAfterMs: 50 } } : work,
    );
    const first = makeClient();
    const early = await collectUntil(first.runBatch(payloads, leaving()), 3_000);
    await inFakeTime(first.close());
    expect(early).toHaveLength(2);
    expect([runtime.stops.length, runtime.live.size]).toEqual([2, 4]);
    const late = await inFakeTime(Array.fromAsync(makeClient().resume(journal, payloads)));
    const known = new Set(early.map((item) => item.index));
    // The item in hand was not known to be dealt with.
    expect(new Set([...known, ...late.map((item) => item.index)])).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(late.every(({ outcome, attempt }) => outcome.kind === 'ok' && attempt === 0)).toBe(true);
    expect(runtime.sends).toHaveLength(6);
    expect([...runtime.handlerRuns.values()]).toEqual([1, 1, 1, 1, 1, 1]);
    expect(runtime.live.size).toBe(0);
  });

  it('leaves what results it has for the successor', async () => {
    const payloads = works(3, { storeAfterMs: 500 });
    const run = makeClient().runBatch(payloads, leaving());
    const first = await inFakeTime(run.next());
    await vi.advanceTimersByTimeAsync(5_000);
    detach.abort(preempted);
    await expect(inFakeTime(run.next())).rejects.toBe(preempted);
    const rest = await inFakeTime(Array.fromAsync(makeClient().resume(journal, payloads)));
    expect(rest.map((item) => item.index)).not.toContain(first.value!.index);
    expect(rest).toHaveLength(2);
    expect(runtime.sends).toHaveLength(3);
  });

  it('runs nothing twice that was being sent: the agent that cannot tell repeats apart is stopped first', async () => {
    const payloads = works(2, { speaksRip: false, acceptAfterMs: 2_000, storeAfterMs: 5_000 });
    await collectUntil(makeClient().runBatch(payloads, leaving()), 1_000);
    expect(runtime.stops).toEqual([]);
    const items = await inFakeTime(Array.fromAsync(makeClient().resume(journal, payloads)));
    expect(items.map(({ outcome, attempt }) => [outcome.kind, attempt])).toEqual([
      ['ok', 1],
      ['ok', 1],
    ]);
    expect(runtime.live.size).toBe(0);
  });

  it('calls off what had not left this process', async () => {
    const queueing: AgentRuntime = {
      tellsLeaving: true,
      invoke: (_, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal!.reason as Error), {
            once: true,
          });
        }),
      stop: (sessionId) => runtime.stop(sessionId),
    };
    const payloads = works(2, {});
    await collectUntil(makeClient({ runtime: queueing }).runBatch(payloads, leaving()), 1_000);
    expect(records('settled')).toMatchObject([
      { outcome: 'cancelled', sessionless: true },
      { outcome: 'cancelled', sessionless: true },
    ]);
    const items = await inFakeTime(Array.fromAsync(makeClient().resume(journal, payloads)));
    expect(items.map(({ outcome }) => outcome.kind)).toEqual(['ok', 'ok']);
    expect(new Set(runtime.stops)).toEqual(new Set(items.map(({ sessionId }) => sessionId)));
  });

  it('can be left again by the process that took it up, before it has looked at everything', async () => {
    const payloads = works(8, { storeAfterMs: 20_000 });
    await collectUntil(makeClient().runBatch(payloads, leaving()), 1_000);
    detach = new AbortController();
    const second = makeClient().resume(journal, payloads, {
      detachSignal: detach.signal,
      maxConcurrentSessions: 2,
    });
    await collectUntil(second, 1_000);
    expect([runtime.stops, runtime.live.size]).toEqual([[], 4]);
    const items = await inFakeTime(Array.fromAsync(makeClient().resume(journal, payloads)));
    expect(items.map(({ index }) => index).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(runtime.sends).toHaveLength(8);
    expect(runtime.live.size).toBe(0);
  });

  it('stays left when the loop is broken off or the client closed afterwards', async () => {
    const client = makeClient();
    const payloads = works(3, { storeAfterMs: 5_000 }).with(0, { n: 0, script: { storeAfterMs: 50 } });
    for await (const _ of inSteps(client.runBatch(payloads, leaving()))) {
      detach.abort(preempted);
      break;
    }
    await inFakeTime(client.close());
    expect(runtime.live.size).toBe(2);
  });

  it('keeps the gateway’s sessions, so that the successor has their tokens', async () => {
    const gateway = new FakeGateway();
    const payloads = works(2, { storeAfterMs: 5_000 });
    await collectUntil(makeClient({ gateway }).runBatch(payloads, leaving()), 1_000);
    expect([gateway.countOf('delete'), gateway.countOf('finish')]).toEqual([0, 0]);
    const items = await inFakeTime(Array.fromAsync(makeClient({ gateway }).resume(journal, payloads)));
    for (const item of items) expect((await inFakeTime(item.trajectory())).rows).toHaveLength(1);
  });

  it('needs a journal', () => {
    const { journal: _, ...rest } = leaving();
    const refusal = { code: 'ART_INVALID_OPTION', message: expect.stringContaining('detachSignal') };
    expect(() => makeClient().runBatch([], rest)).toThrow(expect.objectContaining(refusal) as ArtError);
    expect(() => makeClient().runGroups([], { ...rest, rolloutsPerInput: 2 })).toThrow(
      expect.objectContaining(refusal) as ArtError,
    );
    expect(() => makeClient().resume(journal, [], { detachSignal: 'now' as never })).toThrow(
      expect.objectContaining(refusal) as ArtError,
    );
  });
});

describe('a run of groups that is left by its detachSignal', () => {
  it('stops no session, and each group comes out whole from the successor', async () => {
    const inputs = works(3, { storeAfterMs: 5_000 });
    const options = { ...leaving(), maxConcurrentSessions: 6, rolloutsPerInput: 3 };
    await collectUntil(makeClient().runGroups(inputs, options), 1_000);
    expect([runtime.stops, runtime.live.size]).toEqual([[], 6]);
    const groups = await inFakeTime(Array.fromAsync(makeClient().resumeGroups(journal, inputs)));
    expect(groups.map(({ kind, rewards }) => [kind, rewards])).toEqual(
      Array.from({ length: 3 }, () => ['complete', [1, 1, 1]]),
    );
    expect(runtime.sends).toHaveLength(9);
    expect(runtime.live.size).toBe(0);
  });
});

/** Items of a loop that runs in fake time. */
async function* inSteps<Item>(items: AsyncGenerator<Item, void, undefined>): AsyncGenerator<Item> {
  try {
    for (;;) {
      const next = await inFakeTime(items.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await inFakeTime(items.return());
  }
}
