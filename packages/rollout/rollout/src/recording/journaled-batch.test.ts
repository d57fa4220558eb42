import { listRuns, openSessions, readRun, StoreJournal } from '@art/journal';
import { ArtError } from '@art/ground';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchItem } from '../batch/batch-item.ts';
import type { BatchOptions } from '../batch/batch-options.ts';
import type { Payload } from '../request/rollout-request.ts';
import { RolloutClient } from '../client/rollout-client.ts';
import type { RolloutClientOptions } from '../client/rollout-client-options.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import { stopRun } from './stop-run.ts';
import { MemoryJournal } from './memory-journal.fixture.ts';
import { MortalRuntime } from './mortal-runtime.fixture.ts';

let runtime: ScriptedRuntime;
let journal: MemoryJournal;
let client: RolloutClient;
const warnings: string[] = [];

const makeClient = (options: Partial<RolloutClientOptions> = {}): RolloutClient =>
  new RolloutClient({
    runtime,
    store: runtime.store,
    bucket: 'b',
    expId: 'e',
    onWarning: (message) => warnings.push(message),
    ...options,
  });

beforeEach(() => {
  vi.useFakeTimers();
  warnings.length = 0;
  runtime = new ScriptedRuntime();
  journal = new MemoryJournal();
  client = makeClient();
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

type Work = { n: number; script: SessionScript };
const works = (count: number, script: SessionScript = {}): Work[] =>
  Array.from({ length: count }, (_, n) => ({ n, script: { speaksRip: true, ...script } }));
const options = { maxConcurrentSessions: 4 };
const all = (items: AsyncIterable<BatchItem>): Promise<BatchItem[]> => inFakeTime(Array.fromAsync(items));
const codeOf = async (work: AsyncIterable<unknown>): Promise<string> => {
  try {
    await inFakeTime(Array.fromAsync(work));
  } catch (error) {
    return ArtError.isInstance(error) ? error.code : String(error);
  }
  return 'none';
};
const records = (): Record<string, unknown>[] =>
  [...journal.runs.values()].flat().map((line) => JSON.parse(line) as Record<string, unknown>);

/** Takes so many items, then leaves; what runs is stopped. */
async function take(count: number, work: AsyncIterable<BatchItem>): Promise<BatchItem[]> {
  const taken: BatchItem[] = [];
  const loop = (async () => {
    for await (const item of work) {
      taken.push(item);
      if (taken.length === count) break;
    }
  })();
  await inFakeTime(loop);
  return taken;
}

describe('runBatch with a journal', () => {
  it('writes each rollout down before it is sent, and every state after', async () => {
    const seen: number[] = [];
    const spied = makeClient({
      runtime: {
        invoke: (request, call) => {
          seen.push(records().filter((record) => record['session_id'] === request.sessionId).length);
          return runtime.invoke(request, call);
        },
        stop: (sessionId, call) => runtime.stop(sessionId, call),
      },
    });
    await all(spied.runBatch(works(3), { ...options, journal }));
    await spied.close();
    expect(seen).toEqual([1, 1, 1]);
    const types = Object.groupBy(records(), (record) => String(record['type']));
    for (const type of ['intended', 'accepted', 'settled', 'stopped', 'acknowledged'])
      expect(types[type]).toHaveLength(3);
    expect(types['run']![0]).toMatchObject({
      version: 2,
      kind: 'batch',
      exp_id: 'e',
      bucket: 'b',
      item_count: 3,
    });
    expect(types['intended']![0]).toMatchObject({
      rollout: 0,
      item: '0',
      index: 0,
      member: 0,
      attempt: 0,
      result_key: `e/${String(types['intended']![0]!['input_id'])}/${String(types['intended']![0]!['session_id'])}.json`,
    });
    expect(types['accepted']![0]).toMatchObject({ speaks_rip: true });
    expect(types['finished']).toHaveLength(1);
  });

  it('writes every attempt down, those whose session did not start as well; a resume counts them', async () => {
    const failureMessage = 'Runtime initialization time exceeded.';
    const unstarted: SessionScript = { failures: [424], failureMessage };
    const payloads = [{ n: 0, script: unstarted }];
    // Another process takes the run over where this one would begin its second attempt.
    journal.failure = new ArtError({ code: 'ART_JOURNAL_LOST', message: 'taken over' });
    journal.mostLines = 5;
    const taken = client.runBatch(payloads, { ...options, journal: { journal, runId: 'r' } });
    expect(await codeOf(taken)).toBe('ART_JOURNAL_LOST');
    expect(records().map(({ type, outcome }) => outcome ?? type)).toEqual([
      'run',
      'intended',
      'source_ended',
      'lost',
      'stopped',
    ]);
    const copy = new MemoryJournal();
    copy.runs.set('r', [...journal.runs.get('r')!]);
    const other = makeClient();
    const [item] = await all(other.resume(copy, payloads));
    await other.close();
    expect(item).toMatchObject({ outcome: { kind: 'lost' }, attempt: 2 });
    expect(item!.attempts).toHaveLength(3);
    for (const { outcome } of item!.attempts)
      expect(outcome).toMatchObject({ kind: 'lost', error: { code: 'ART_RUNTIME_START_FAILED' } });
  });

  it('keeps no payload, no config and no message: they may hold secrets', async () => {
    const secret = 'sk-planted-secret';
    const guarded = makeClient({
      baseUrl: `https://user:${secret}@gw/v1`,
      extraConfig: { api_key: secret, headers: { authorization: secret } },
    });
    const payloads = [
      { prompt: secret, script: {} },
      { script: { answer: secret } },
      { script: { failures: [403], failureMessage: secret } },
      { script: { text: JSON.stringify({ status_code: 500, stop_reason: secret }) } },
    ];
    await all(guarded.runBatch(payloads, { ...options, journal, overrides: () => ({ token: secret }) }));
    await guarded.close();
    expect(records().length).toBeGreaterThan(12);
    expect(JSON.stringify(records())).not.toContain(secret);
  });

  it('yields again what was not acknowledged, and nothing else', async () => {
    const payloads = works(6);
    const first = await take(3, client.runBatch(payloads, { ...options, journal }));
    const rest = await all(client.resume(journal, payloads));
    const before = first.slice(0, 2).map((item) => item.index);
    expect([...before, ...rest.map((item) => item.index)].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    // The one in hand when the loop was left is yielded again, under the session that it had.
    const again = rest.find((item) => item.index === first[2]!.index);
    expect(again).toMatchObject({ sessionId: first[2]!.sessionId, outcome: { kind: 'ok', reward: 1 } });
    expect(runtime.live.size).toBe(0);
  });

  it('takes its own acknowledgement for one', async () => {
    const payloads = works(4);
    const taken: number[] = [];
    const loop = (async () => {
      for await (const item of client.runBatch(payloads, { ...options, journal, acknowledge: 'explicit' })) {
        taken.push(item.index);
        if (taken.length === 2) await item.acknowledge();
      }
    })();
    await inFakeTime(loop);
    expect(records().some((record) => record['type'] === 'finished')).toBe(false);
    const rest = await all(client.resume(journal, payloads, { acknowledge: 'explicit' }));
    expect(rest.map((item) => item.index).toSorted()).toEqual(
      [0, 1, 2, 3].filter((index) => index !== taken[1]),
    );
    for (const item of rest) await Promise.all([item.acknowledge(), item.acknowledge()]);
    expect(await all(client.resume(journal, payloads))).toEqual([]);
  });

  it('leaves items that can be cloned', async () => {
    const [item] = await all(client.runBatch(works(1), options));
    await item!.acknowledge();
    expect(Object.keys(structuredClone(item!))).not.toContain('acknowledge');
  });

  it('a full disk starts nothing, finishes what runs, loses nothing', async () => {
    const payloads = works(8);
    journal.failure = new ArtError({ code: 'ART_JOURNAL_WRITE_FAILED', message: 'no space left' });
    journal.mostLines = 18;
    const yielded: BatchItem[] = [];
    const loop = (async () => {
      for await (const item of client.runBatch(payloads, { ...options, journal })) yielded.push(item);
    })();
    await expect(inFakeTime(loop)).rejects.toThrow('no space left');
    expect(runtime.live.size).toBe(0);
    const sent = runtime.sends.length;
    expect(sent).toBe(records().filter((record) => record['type'] === 'intended').length);
    journal.mostLines = Number.POSITIVE_INFINITY;
    const acknowledged = records().filter((record) => record['type'] === 'acknowledged').length;
    const rest = await all(client.resume(journal, payloads));
    expect(rest).toHaveLength(8 - acknowledged);
    expect(runtime.sends).toHaveLength(8);
    expect(yielded.length - acknowledged).toBeLessThanOrEqual(1);
  });

  it('sends nothing where not even the first record can be written', async () => {
    journal.failure = new ArtError({ code: 'ART_JOURNAL_WRITE_FAILED', message: 'no space left' });
    journal.mostLines = 0;
    expect(await codeOf(client.runBatch(works(3), { ...options, journal }))).toBe('ART_JOURNAL_WRITE_FAILED');
    expect(runtime.sends).toEqual([]);
    expect(runtime.stops).toEqual([]);
  });

  it('a run that was taken over leaves its sessions to the new owner', async () => {
    journal.failure = new ArtError({ code: 'ART_JOURNAL_LOST', message: 'taken over' });
    journal.mostLines = 6;
    expect(await codeOf(client.runBatch(works(6, { storeAfterMs: 5_000 }), { ...options, journal }))).toBe(
      'ART_JOURNAL_LOST',
    );
    expect(runtime.stops).toEqual([]);
    expect(runtime.live.size).toBeGreaterThan(0);
  });
});

describe('resume', () => {
  const named = { ...options, inputId: (payload: Payload) => `work-${(payload as Work).n}` };

  it.each<[string, (payloads: Work[]) => Work[], number[]]>([
    ['the same', (payloads) => payloads, [0, 1, 2, 3, 4, 5]],
    ['reordered', (payloads) => payloads.toReversed(), [0, 1, 2, 3, 4, 5]],
    ['filtered', (payloads) => payloads.filter(({ n }) => n !== 1), [0, 2, 3, 4, 5]],
    ['longer', (payloads) => [{ n: 6, script: { speaksRip: true } }, ...payloads], [0, 1, 2, 3, 4, 5, 6]],
  ])('continues with data that is %s, by the ids of its items', async (_, change, expected) => {
    const payloads = works(6);
    const first = await take(3, client.runBatch(payloads, { ...named, journal }));
    const done = first.slice(0, 2).map((item) => item.id);
    const data = change(payloads);
    const rest = await all(client.resume(journal, data, { inputId: named.inputId }));
    expect(new Set([...done, ...rest.map((item) => item.id)])).toEqual(
      new Set([...done, ...expected.map((n) => `work-${n}`)]),
    );
    expect(rest.every((item) => !done.includes(item.id))).toBe(true);
    for (const item of rest) expect(item.id).toBe(`work-${data[item.index]!.n}`);
    expect(runtime.live.size).toBe(0);
    expect(await openSessions(journal, [...journal.runs.keys()][0]!)).toEqual([]);
  });

  it('refuses a changed payload by the id of its item, before anything happens', async () => {
    const payloads = works(6);
    await take(2, client.runBatch(payloads, { ...named, journal }));
    const [sent, stopped] = [runtime.sends.length, runtime.stops.length];
    const changed = payloads.map((work) => (work.n === 2 ? { ...work, extra: 1 } : work)).toReversed();
    await expect(all(client.resume(journal, changed, { inputId: named.inputId }))).rejects.toMatchObject({
      code: 'ART_JOURNAL_PAYLOADS_CHANGED',
      message: expect.stringContaining('item "work-2"') as string,
    });
    expect([runtime.sends.length, runtime.stops.length]).toEqual([sent, stopped]);
    expect(await all(client.resume(journal, payloads, { inputId: named.inputId }))).toHaveLength(5);
  });

  it('knows items without ids by their positions', async () => {
    function* source(change = -1): Generator<Work> {
      for (const work of works(6)) yield work.n === change ? { n: 99, script: {} } : work;
    }
    await take(2, client.runBatch(source(), { ...options, journal }));
    for (const changed of [source(1), Array.from(source(1))])
      await expect(all(client.resume(journal, changed))).rejects.toThrow(/item "1"\. .*inputId/);
    expect(await all(client.resume(journal, source()))).toHaveLength(5);
  });

  it('takes limits from the first start, and functions must be given again', async () => {
    const payloads = works(6);
    const inputId = (work: Work): string => `input-${work.n}`;
    const retry = { throttled: Number.POSITIVE_INFINITY };
    await take(
      1,
      client.runBatch(payloads, { maxConcurrentSessions: 1, timeoutMs: 60_000, retry, journal, inputId }),
    );
    expect(await codeOf(client.resume(journal, payloads))).toBe('ART_INVALID_OPTION');
    runtime.peakLive = 0;
    const rest = await all(client.resume(journal, payloads, { inputId }));
    expect(runtime.peakLive).toBe(1);
    expect(rest.every((item) => item.inputId === `input-${item.index}`)).toBe(true);
    expect((await readRun(journal, [...journal.runs.keys()][0]!)).options['retry']).toEqual({
      throttled: 'unlimited',
    });
  });

  it('knows the run that was started last, and refuses what does not fit', async () => {
    expect(await codeOf(client.resume(journal, []))).toBe('ART_JOURNAL_NOT_FOUND');
    await all(client.runBatch(works(1), { ...options, journal: { journal, runId: 'old' } }));
    await vi.advanceTimersByTimeAsync(1_000);
    await take(1, client.runBatch(works(2), { ...options, journal: { journal, runId: 'a-newer-one' } }));
    expect(await all(client.resume(journal, works(2)))).toHaveLength(2);
    expect(await codeOf(client.runBatch(works(1), { ...options, journal: { journal, runId: 'old' } }))).toBe(
      'ART_JOURNAL_EXISTS',
    );
    expect(await codeOf(client.resumeGroups({ journal, runId: 'old' }, works(1)))).toBe(
      'ART_JOURNAL_NOT_FOUND',
    );
    const elsewhere = makeClient({ expId: 'other' });
    expect(await codeOf(elsewhere.resume({ journal, runId: 'old' }, works(1)))).toBe('ART_INVALID_OPTION');
    await elsewhere.close();
  });

  it('never sends an attempt twice to an agent that cannot tell, nor asks it anything', async () => {
    const payloads = works(2, { speaksRip: false, acceptAfterMs: 500, storeAfterMs: 1_000 });
    journal.mostLines = 4;
    const abandoned = client.runBatch(payloads, { ...options, journal: { journal, runId: 'r' } });
    const never = abandoned.next();
    never.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(100);
    journal.mostLines = Number.POSITIVE_INFINITY;
    const copy = new MemoryJournal();
    copy.runs.set('r', [...journal.runs.get('r')!]);
    const other = makeClient();
    const items = await all(other.resume(copy, payloads));
    expect(items.map((item) => item.attempt)).toEqual([1, 1]);
    expect(items[0]!.attempts).toMatchObject([
      { attempt: 0, outcome: { kind: 'cancelled', error: { code: 'ART_ROLLOUT_CANCELLED' } } },
      { attempt: 1, outcome: { kind: 'ok' } },
    ]);
    expect(runtime.questions).toEqual([]);
    expect(Math.max(...runtime.handlerRuns.values())).toBe(1);
    await inFakeTime(other.close());
  });

  it('counts the deadline of an accepted rollout from its first submission', async () => {
    const payloads = works(1, { storesNothing: true });
    const mortal = new MortalRuntime(runtime);
    const dying = makeClient({ runtime: mortal });
    const batch = dying.runBatch(payloads, {
      ...options,
      timeoutMs: 60_000,
      journal: { journal, runId: 'r' },
    });
    void batch.next().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(50_000);
    mortal.isDead = true;
    const copy = new MemoryJournal();
    copy.runs.set('r', [...journal.runs.get('r')!]);
    const other = makeClient();
    const startedMs = Date.now();
    const [item] = await all(other.resume(copy, payloads));
    expect(item!.outcome.kind).toBe('timeout');
    expect(Date.now() - startedMs).toBeLessThan(12_000);
    expect(item!.timings.settledMs).toBeGreaterThanOrEqual(60_000);
    await inFakeTime(other.close());
    // The dead process does nothing any more; its timers are all that is left of it.
    vi.clearAllTimers();
  });
});

describe('a journal in the result store', () => {
  it('is resumed by another client, and disturbs no sweep', async () => {
    const stored = new StoreJournal({ store: runtime.store, bucket: 'b' });
    const payloads = works(5, { storeAfterMs: 500 });
    await take(2, client.runBatch(payloads, { ...options, journal: stored }));
    const other = makeClient();
    const rest = await all(other.resume(stored, payloads));
    expect(rest).toHaveLength(4);
    await other.close();
    expect(await listRuns(stored)).toMatchObject([
      { kind: 'batch', acknowledged: 5, isFinished: true, openSessions: 0 },
    ]);
  });
});

describe('explicit acknowledgement after the end', () => {
  it('still counts, and lets the run go with the last one', async () => {
    const stored = new StoreJournal({ store: runtime.store, bucket: 'b', commitIntervalMs: 50 });
    const run = { journal: stored, runId: 'r' };
    const items = await all(client.runBatch(works(3), { ...options, journal: run, acknowledge: 'explicit' }));
    const holders = items.map(async (item) => {
      await item.acknowledge();
      return await stored.heldBy('r');
    });
    expect((await inFakeTime(Promise.all(holders))).at(-1)).toBeUndefined();
    expect(await holders[0]).toMatchObject({ state: 'alive' });
    expect(await readRun(stored, 'r')).toMatchObject({ isFinished: true, acknowledged: 3 });
  });

  it('is given up when the client is closed', async () => {
    const stored = new StoreJournal({ store: runtime.store, bucket: 'b', commitIntervalMs: 0 });
    const run = { journal: stored, runId: 'r' };
    await all(client.runBatch(works(3), { ...options, journal: run, acknowledge: 'explicit' }));
    await inFakeTime(client.close());
    expect(await stored.heldBy('r')).toBeUndefined();
    client = makeClient();
    expect(await all(client.resume(run, works(3), { acknowledge: 'next' }))).toHaveLength(3);
  });
});

describe('stopRun', () => {
  it('stops what the journal knows and has not seen end; a resume begins it anew', async () => {
    const payloads = works(3, { storeAfterMs: 60_000 });
    const mortal = client.runBatch(payloads, { ...options, journal: { journal, runId: 'r' } });
    void mortal.next().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    // The process is gone here; what its journal said is all there is.
    const copy = new MemoryJournal();
    copy.runs.set('r', [...journal.runs.get('r')!]);
    expect(await openSessions(copy, 'r')).toHaveLength(3);
    runtime.live.delete((await openSessions(copy, 'r'))[0]!.sessionId);
    const report = await inFakeTime(stopRun(copy, 'r', { runtime }));
    expect(report).toEqual({ stopped: 2, notFound: 1, failed: 0 });
    expect(await openSessions(copy, 'r')).toEqual([]);
    expect(runtime.live.size).toBe(0);
    expect(await readRun(copy, 'r')).toMatchObject({
      rollouts: { intended: 3, accepted: 3, settled: { cancelled: 3 } },
      openSessions: 0,
      isFinished: false,
    });
    const other = makeClient();
    const items = await all(other.resume(copy, payloads));
    expect(items.map((item) => item.attempt)).toEqual([1, 1, 1]);
    await other.close();
  });

  it('reports what could not be stopped, and keeps it on the list', async () => {
    void client
      .runBatch(works(1, { storeAfterMs: 60_000 }), { ...options, journal: { journal, runId: 'r' } })
      .next()
      .catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    runtime.stopError = new Error('denied');
    const report = await inFakeTime(
      stopRun(journal, 'r', { runtime, onWarning: (message) => warnings.push(message) }),
    );
    expect(report).toEqual({ stopped: 0, notFound: 0, failed: 1 });
    expect(warnings.join()).toContain('denied');
    expect(await openSessions(journal, 'r')).toHaveLength(1);
    runtime.stopError = undefined;
  });

  it.each(['alive', 'dead'] as const)(
    'records what it stops, even if held, where the holder is not alive: %s',
    async (state) => {
      void client
        .runBatch(works(1, { storeAfterMs: 60_000 }), { ...options, journal: { journal, runId: 'r' } })
        .next()
        .catch(() => undefined);
      await vi.advanceTimersByTimeAsync(1_000);
      const copy = new MemoryJournal();
      copy.runs.set('r', [...journal.runs.get('r')!]);
      const holder = { host: 'h', machine: 'm', pid: 1, startedAt: 's', sinceMs: 1, claimId: 'c' };
      copy.heldBy = () => Promise.resolve({ holder, state });
      await inFakeTime(stopRun(copy, 'r', { runtime, evenIfHeld: true }));
      expect(await openSessions(copy, 'r')).toHaveLength(state === 'dead' ? 0 : 1);
    },
  );
});

const typed: BatchOptions<Work> = {
  ...options,
  journal: { journal: new MemoryJournal(), runId: 'x' },
  acknowledge: 'next',
};
it.each<[string, Partial<BatchOptions>]>([
  ['journal', { journal: {} as MemoryJournal }],
  ['runId', { journal: { journal: new MemoryJournal(), runId: '../x' } }],
  ['acknowledge', { acknowledge: 'never' as 'next' }],
])('refuses a wrong %s at once', (name, wrong) => {
  expect(() => client.runBatch([], { ...(typed as BatchOptions), ...wrong })).toThrow(
    new RegExp(`Expected .${name}`),
  );
});
