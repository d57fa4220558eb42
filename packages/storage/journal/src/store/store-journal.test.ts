import { MemoryResultStore, type ResultStore } from '@art/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '@art/ground/testing';
import type { LineLog } from '../log/rollout-journal.ts';
import { StoreJournal, type StoreJournalOptions } from './store-journal.ts';

const acknowledged = (index: number): string =>
  JSON.stringify({ type: 'acknowledged', item: `item-${index}`, at_ms: 1 });
const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;
const patiently = { interval: 2 };
const logs: LineLog[] = [];

afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()));
});

const journalOn = (store: ResultStore, options: Partial<StoreJournalOptions> = {}): StoreJournal =>
  new StoreJournal({ store, bucket: 'b', commitIntervalMs: 0, ...options });
const keep = async (log: Promise<LineLog>): Promise<LineLog> => {
  logs.push(await log);
  return log;
};
const linesOf = async (source: AsyncIterable<readonly string[]>): Promise<string[]> =>
  (await Array.fromAsync(source)).flat().filter((line) => line.includes('acknowledged'));
const at = (key: string): { bucket: string; key: string } => ({
  bucket: 'b',
  key: `.art/journals/run/${key}`,
});

/** Rewrites who wrote a segment, as if it had come from another machine. */
async function pretend(store: ResultStore, key: string): Promise<void> {
  const text = (await store.get(at(key)))!;
  await store.put(at(key), text.replaceAll(/"machine":"[^"]*"/g, '"machine":"elsewhere"'));
}

describe.each(['a store that lists', 'a minimal store'])('StoreJournal on %s', (sort) => {
  const storeOf = (): ResultStore => {
    const store = new MemoryResultStore();
    return sort === 'a minimal store' ? minimalStore(store) : store;
  };

  it('keeps lines in order over any number of segments and holders', async () => {
    const store = storeOf();
    const journal = journalOn(store);
    let log = await keep(journal.create('run', [acknowledged(0)]));
    for (let index = 1; index < 40; index += 1) await log.commit(acknowledged(index));
    await log.close();
    log = await keep(journal.open('run'));
    log.append(acknowledged(40));
    await log.close();
    const expected = Array.from({ length: 41 }, (_, index) => acknowledged(index));
    expect(await linesOf(journal.read('run'))).toEqual(expected);
    expect(await linesOf((await keep(journal.open('run'))).read())).toEqual(expected);
  });

  it('starts a run once, and finds only what there is', async () => {
    const journal = journalOn(storeOf());
    await keep(journal.create('run', []));
    await expect(journal.create('run', [])).rejects.toThrow(withCode('ART_JOURNAL_EXISTS'));
    await expect(journal.open('other')).rejects.toThrow(withCode('ART_JOURNAL_NOT_FOUND'));
    await expect(linesOf(journal.read('other'))).rejects.toThrow(withCode('ART_JOURNAL_NOT_FOUND'));
    await expect(journal.open('a/b')).rejects.toThrow(withCode('ART_INVALID_OPTION'));
  });

  it('is held by one at a time, and goes to exactly one of many', async () => {
    const store = storeOf();
    const log = await keep(journalOn(store).create('run', []));
    await expect(journalOn(store).open('run')).rejects.toThrow(/held by process \d+ on .* since/);
    await log.close();
    expect(await journalOn(store).heldBy('run')).toBeUndefined();
    const claims = await Promise.allSettled(Array.from({ length: 8 }, () => journalOn(store).open('run')));
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    logs.push(...won.map((claim) => claim.value));
    expect(won).toHaveLength(1);
  });

  it('forgets a removed run', async () => {
    const journal = journalOn(storeOf());
    await (await journal.create('run', [])).close();
    await journal.remove('run');
    await expect(journal.open('run')).rejects.toThrow(withCode('ART_JOURNAL_NOT_FOUND'));
  });
});

describe('StoreJournal', () => {
  it('lists its runs, and needs a store that lists for that', async () => {
    const store = new MemoryResultStore();
    const journal = journalOn(store);
    for (const runId of ['b', 'a', 'gone', 'a.1']) await (await journal.create(runId, [])).close();
    await journal.remove('gone');
    await store.put({ bucket: 'b', key: 'exp/input/session.json' }, '{}');
    expect(await journal.list()).toEqual(['a', 'a.1', 'b']);
    await expect(journalOn(minimalStore(store)).list()).rejects.toThrow(withCode('ART_INVALID_OPTION'));
  });

  it('finds a number taken when another machine took over, and stops', async () => {
    const store = new MemoryResultStore();
    const clock = new ManualClock();
    const log = await keep(journalOn(store, { clock: new ManualClock() }).create('run', []));
    await log.commit(acknowledged(1));
    await pretend(store, '00000002.jsonl');
    const claim = journalOn(store, { clock }).open('run');
    await advanceUntil(clock, claim);
    const other = await keep(claim);
    await other.commit(acknowledged(2));
    await expect(log.commit(acknowledged(3))).rejects.toThrow(withCode('ART_JOURNAL_LOST'));
    expect(log.broken.reason).toMatchObject({ code: 'ART_JOURNAL_LOST' });
    expect(await linesOf(journalOn(store).read('run'))).toEqual([1, 2].map(acknowledged));
  });

  it('an idle holder shows that it lives, and notices when it was taken for dead', async () => {
    const store = new MemoryResultStore();
    const clock = new ManualClock();
    const log = await keep(journalOn(store, { clock }).create('run', []));
    await pretend(store, '00000001.jsonl');
    const early = journalOn(store, { clock }).open('run');
    await advanceUntil(clock, early);
    await expect(early).rejects.toThrow(withCode('ART_JOURNAL_LOCKED'));
    const other = {
      holder: { host: 'h', machine: 'm', pid: 1, started_at: '', since_ms: 1, claim_id: 'c' },
      claim: 2,
    };
    await store.put(at('00000002.jsonl'), `${JSON.stringify({ type: 'owner', ...other })}\n`);
    await vi.waitFor(() => {
      clock.advance(40_000);
      expect(log.broken.aborted).toBe(true);
    }, patiently);
    expect(log.broken.reason).toMatchObject({ code: 'ART_JOURNAL_LOST' });
  });

  it('tells its own write whose answer was lost from one of another', async () => {
    const store = new MemoryResultStore();
    const clock = new ManualClock();
    let failures = 0;
    const flaky: ResultStore = {
      ...minimalStore(store),
      put: async (location, body, options) => {
        const outcome = await store.put(location, body, options);
        failures += 1;
        if (failures % 2 === 1) throw new Error('the answer was lost');
        return outcome;
      },
    };
    const journal = journalOn(flaky, { clock });
    const create = journal.create('run', []);
    await advanceUntil(clock, create);
    const log = await keep(create);
    const commit = log.commit(acknowledged(1));
    await advanceUntil(clock, commit);
    await commit;
    const closing = log.close();
    await advanceUntil(clock, closing);
    expect(await linesOf(journalOn(store).read('run'))).toEqual([acknowledged(1)]);
  });

  it('gives up after a while when the store stays out of order', async () => {
    const store = new MemoryResultStore();
    const clock = new ManualClock();
    let isBroken = false;
    const breaking: ResultStore = {
      ...minimalStore(store),
      put: (location, body, options) =>
        isBroken ? Promise.reject(new Error('503 SlowDown')) : store.put(location, body, options),
    };
    const log = await keep(journalOn(breaking, { clock, giveUpMs: 10_000 }).create('run', []));
    isBroken = true;
    const commit = log.commit(acknowledged(1));
    await advanceUntil(clock, commit);
    await expect(commit).rejects.toThrow(/503 SlowDown/);
    expect(log.broken.reason).toMatchObject({ code: 'ART_JOURNAL_WRITE_FAILED' });
  });

  it('stores what comes together in one segment', async () => {
    const store = new MemoryResultStore();
    const clock = new ManualClock();
    const put = vi.spyOn(store, 'put');
    const log = await keep(journalOn(store, { clock, commitIntervalMs: 250 }).create('run', []));
    const commits = Promise.all(Array.from({ length: 100 }, (_, index) => log.commit(acknowledged(index))));
    clock.advance(249);
    expect(put).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await commits;
    expect(put).toHaveBeenCalledTimes(2);
    const closing = log.close();
    await advanceUntil(clock, closing);
    expect(clock.timers).toBe(0);
  });

  it.each<[string, Partial<StoreJournalOptions>]>([
    ['store', { store: {} as ResultStore }],
    ['bucket', { bucket: '' }],
    ['prefix', { prefix: '/x' }],
    ['commitIntervalMs', { commitIntervalMs: -1 }],
    ['giveUpMs', { giveUpMs: 0 }],
    ['leaseMs', { leaseMs: Number.NaN }],
  ])('refuses a wrong %s', (name, options) => {
    expect(() => journalOn(new MemoryResultStore(), options)).toThrow(new RegExp(`Expected .${name}`));
  });
});

/** Moves the clock along until the work is over. */
async function advanceUntil(clock: ManualClock, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void work.then(end, end);
  await vi.waitFor(() => {
    clock.advance(1_000);
    expect(isOver).toBe(true);
  }, patiently);
}

/** A store with the required members only. */
function minimalStore(store: ResultStore): ResultStore {
  return {
    put: (at, body, options) => store.put(at, body, options),
    get: (at, options) => store.get(at, options),
    exists: (at, options) => store.exists(at, options),
  };
}
