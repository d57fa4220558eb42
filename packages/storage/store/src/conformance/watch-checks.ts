import { deepEqual, equal, ok } from 'node:assert/strict';
import type { StoreWatch } from '../result-store.ts';
import { defineCheck, type CheckInit, type CheckRoom } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

const reportedWithinMs = 60_000;

interface Observed {
  /** Names as they were reported, relative to the room. */
  names: string[];
  /** Resolves when all of these have been reported; rejects when that takes too long. */
  reported(...names: string[]): Promise<void>;
  watch: StoreWatch;
}

async function observe(room: CheckRoom, prefix = ''): Promise<Observed> {
  const names: string[] = [];
  const waiting = new Set<() => void>();
  const watch = await room.store.watch?.({ bucket: room.bucket, prefix: room.prefix + prefix }, (key) => {
    names.push(key.startsWith(room.prefix) ? key.slice(room.prefix.length) : `outside of the room: ${key}`);
    for (const check of waiting) check();
  });
  ok(watch !== undefined);
  return {
    names,
    watch,
    reported: async (...expected) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const missing = (): string[] => expected.filter((name) => !names.includes(name));
      const check = (): void => {
        if (missing().length === 0) resolve();
      };
      const timer = setTimeout(
        () => reject(new Error(`not reported within ${reportedWithinMs} ms: ${missing().join(', ')}`)),
        reportedWithinMs,
      );
      waiting.add(check);
      check();
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(check);
      }
    },
  };
}

function watchCheck(init: Omit<CheckInit, 'requires' | 'timeoutMs'>): ResultStoreCheck {
  return defineCheck({ ...init, requires: 'watch', timeoutMs: reportedWithinMs * 3 });
}

/** Stores that push. */
export const watchChecks: readonly ResultStoreCheck[] = [
  watchCheck({
    id: 'watch.new',
    name: 'reports a key that is put, readable by then',
    run: async (room) => {
      await room.put('input/before.json');
      const observed = await observe(room);
      await room.put('input/s.json', 'body');
      await observed.reported('input/s.json');
      equal(await room.get('input/s.json'), 'body');
      await observed.watch.close();
      ok(!observed.names.includes('input/before.json'), 'reported a key from before the watch');
    },
  }),
  watchCheck({
    id: 'watch.if-absent',
    name: 'reports a key that is put with ifAbsent',
    run: async (room) => {
      const observed = await observe(room);
      await room.put('s.json', 'body', { ifAbsent: true });
      await observed.reported('s.json');
      await observed.watch.close();
    },
  }),
  watchCheck({
    id: 'watch.not-yet',
    name: 'reports keys in places that did not exist when the watch began, at once and at any depth',
    run: async (room) => {
      const observed = await observe(room, 'exp/deep/');
      const names = [
        'exp/deep/a.json',
        'exp/deep/er/b.json',
        'exp/deep/er/and/er/c.json',
        'exp/deep/Ünï %/d.json',
      ];
      await Promise.all(names.map((name) => room.put(name)));
      await observed.reported(...names);
      await room.put('exp/deep/er/later.json');
      await observed.reported('exp/deep/er/later.json');
      await observed.watch.close();
    },
  }),
  watchCheck({
    id: 'watch.prefix',
    name: 'reports only what starts with the prefix, which need not end at a slash',
    run: async (room) => {
      const observed = await observe(room, 'exp-1');
      for (const name of ['exp-2/a.json', 'exp/a.json', 'other.json', 'exp-1/a.json', 'exp-10.json'])
        await room.put(name);
      await observed.reported('exp-1/a.json', 'exp-10.json');
      await observed.watch.close();
      deepEqual([...new Set(observed.names)].toSorted(), ['exp-1/a.json', 'exp-10.json']);
    },
  }),
  watchCheck({
    id: 'watch.many',
    name: 'reports every one of 200 keys that are put at once',
    run: async (room) => {
      const observed = await observe(room);
      const names = Array.from({ length: 200 }, (_, index) => `input-${index % 25}/s-${index}.json`);
      await Promise.all(names.map((name) => room.put(name)));
      await observed.reported(...names);
      await observed.watch.close();
    },
  }),
  watchCheck({
    id: 'watch.close',
    name: 'reports nothing after close, which may be called twice, and leaves other watches running',
    run: async (room) => {
      const closed = await observe(room);
      const open = await observe(room);
      await closed.watch.close();
      await closed.watch.close();
      await room.put('s.json');
      await open.reported('s.json');
      await open.watch.close();
      deepEqual(closed.names, []);
    },
  }),
];
