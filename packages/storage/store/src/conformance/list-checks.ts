import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { ArtError } from '@art/ground';
import { compareKeys } from '../sorted-keys.ts';
import { defineCheck, type CheckInit, type CheckRoom } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

async function fill(room: CheckRoom, names: readonly string[]): Promise<void> {
  // In reverse, so that a store that answers in the order of writing is found out.
  for (const name of names.toReversed()) await room.put(name);
}

function listCheck(init: Omit<CheckInit, 'requires'>): ResultStoreCheck {
  return defineCheck({ ...init, requires: 'list' });
}

/** Keys by prefix, in order, in pages. */
export const listChecks: readonly ResultStoreCheck[] = [
  listCheck({
    id: 'list.nothing',
    name: 'answers an empty page where nothing is under a prefix',
    run: async (room) => deepEqual(await room.listPage(), { keys: [], truncated: false }),
  }),
  listCheck({
    id: 'list.utf8-order',
    name: 'lists keys in the order of their UTF-8 bytes, not of their UTF-16 units',
    run: async (room) => {
      const names = [
        '0',
        '10',
        '9',
        'A',
        'Z',
        '_',
        'a',
        'z',
        'é',
        'ÿ',
        '日',
        '\ufb01',
        '\uffee',
        '😀',
        '\u{10fffd}',
      ];
      await fill(room, names);
      deepEqual(await room.listAll(), names);
    },
  }),
  listCheck({
    id: 'list.slash-order',
    name: 'orders whole keys: a slash is a byte like any other',
    run: async (room) => {
      const names = ['a', 'a!/x', 'a-b/x', 'a.json', 'a.x/y', 'a/', 'a/x', 'a0', 'a0/x', 'ab/x'].filter(
        (name) => !name.endsWith('/'), // a trailing slash is a key for S3 but not for every store
      );
      deepEqual(names, names.toSorted(compareKeys));
      await fill(room, names);
      deepEqual(await room.listAll(), names);
      for (let index = 0; index < names.length; index += 1) {
        deepEqual(await room.listAll({ startAfter: names[index]! }), names.slice(index + 1));
      }
    },
  }),
  listCheck({
    id: 'list.prefix',
    name: 'lists what starts with the prefix, wherever it ends, and no sibling',
    run: async (room) => {
      await fill(room, [
        'exp-1/a.json',
        'exp-1/b/c.json',
        'exp-10/a.json',
        'exp-2/a.json',
        'exp',
        'Exp-1/a.json',
      ]);
      deepEqual(await room.listAll({ prefix: 'exp-1/' }), ['exp-1/a.json', 'exp-1/b/c.json']);
      deepEqual(await room.listAll({ prefix: 'exp-1' }), ['exp-1/a.json', 'exp-1/b/c.json', 'exp-10/a.json']);
      deepEqual(await room.listAll({ prefix: 'exp-1/b/c.js' }), ['exp-1/b/c.json']);
      deepEqual(await room.listAll({ prefix: 'exp-1/a.json' }), ['exp-1/a.json']);
      deepEqual(await room.listAll({ prefix: 'exp-3' }), []);
      deepEqual(await room.listAll({ prefix: 'exp-1/a.json/' }), []);
      deepEqual(await room.listAll({ prefix: 'nowhere/at/all/' }), []);
    },
  }),
  listCheck({
    id: 'list.odd-prefix',
    name: 'takes a prefix with characters that need encoding, and one that ends between combining characters',
    run: async (room) => {
      await fill(room, ['50% & +/s.json', '50%/s.json', 'cafe\u0301/s.json', 'cafe/s.json', 'CAFE/s.json']);
      deepEqual(await room.listAll({ prefix: '50% & +/' }), ['50% & +/s.json']);
      deepEqual(await room.listAll({ prefix: '50%' }), ['50% & +/s.json', '50%/s.json']);
      deepEqual(await room.listAll({ prefix: 'cafe' }), ['cafe/s.json', 'cafe\u0301/s.json']);
      deepEqual(await room.listAll({ prefix: 'CA' }), ['CAFE/s.json']);
    },
  }),
  listCheck({
    id: 'list.start-after',
    name: 'starts after a key, which need not exist',
    run: async (room) => {
      await fill(room, ['a/1', 'a/2', 'b/1', 'b/2', 'c/1']);
      deepEqual(await room.listAll({ startAfter: 'a/2' }), ['b/1', 'b/2', 'c/1']);
      deepEqual(await room.listAll({ startAfter: 'a/1x' }), ['a/2', 'b/1', 'b/2', 'c/1']);
      deepEqual(await room.listAll({ startAfter: 'a' }), ['a/1', 'a/2', 'b/1', 'b/2', 'c/1']);
      deepEqual(await room.listAll({ startAfter: 'a0' }), ['b/1', 'b/2', 'c/1']);
      deepEqual(await room.listAll({ startAfter: 'b/1', prefix: 'b/' }), ['b/2']);
      deepEqual(await room.listAll({ startAfter: 'a/2', prefix: 'b/' }), ['b/1', 'b/2']);
      deepEqual(await room.listAll({ startAfter: 'c', prefix: 'b/' }), []);
      deepEqual(await room.listAll({ startAfter: 'c/1' }), []);
      deepEqual(await room.listAll({ startAfter: '😀' }), []);
    },
  }),
  listCheck({
    id: 'list.limit',
    name: 'says truncated exactly where more follow',
    run: async (room) => {
      await fill(room, ['a', 'b', 'c/1', 'c/2']);
      deepEqual(await room.listPage({ limit: 1 }), { keys: ['a'], truncated: true });
      deepEqual(await room.listPage({ limit: 3 }), { keys: ['a', 'b', 'c/1'], truncated: true });
      deepEqual(await room.listPage({ limit: 4 }), { keys: ['a', 'b', 'c/1', 'c/2'], truncated: false });
      deepEqual(await room.listPage({ limit: 5 }), { keys: ['a', 'b', 'c/1', 'c/2'], truncated: false });
      deepEqual(await room.listPage({ limit: 1, startAfter: 'c/1' }), { keys: ['c/2'], truncated: false });
      deepEqual(await room.listAll({ limit: 1 }), ['a', 'b', 'c/1', 'c/2']);
    },
  }),
  listCheck({
    id: 'list.limit-refused',
    name: 'refuses a limit outside 1 to 1,000',
    run: async (room) => {
      for (const limit of [0, -1, 1.5, 1_001, Number.NaN]) {
        await rejects(room.listPage({ limit }), (error) => ArtError.isInstance(error), `limit ${limit}`);
      }
    },
  }),
  listCheck({
    id: 'list.many',
    name: 'lists 1,100 keys in pages of at most 1,000, each key once and in order',
    run: async (room) => {
      const names = Array.from({ length: 1_100 }, (_, index) => `input-${index % 100}/session-${index}.json`);
      for (let start = 0; start < names.length; start += 50) {
        await Promise.all(names.slice(start, start + 50).map((name) => room.put(name)));
      }
      const sorted = names.toSorted(compareKeys);
      const first = await room.listPage();
      equal(first.truncated, true);
      ok(first.keys.length <= 1_000, `a page has ${first.keys.length} keys`);
      deepEqual(first.keys, sorted.slice(0, first.keys.length));
      deepEqual(await room.listAll(), sorted);
      deepEqual(await room.listAll({ limit: 333 }), sorted);
      deepEqual(
        await room.listAll({ prefix: 'input-7' }),
        sorted.filter((name) => name.startsWith('input-7')),
      );
    },
  }),
  listCheck({
    id: 'list.fresh',
    name: 'lists a key as soon as put has answered, between pages too',
    run: async (room) => {
      await fill(room, ['b', 'd']);
      deepEqual(await room.listPage({ limit: 1 }), { keys: ['b'], truncated: true });
      await room.put('c/new');
      deepEqual(await room.listAll({ startAfter: 'b' }), ['c/new', 'd']);
      await room.put('a');
      deepEqual(await room.listAll(), ['a', 'b', 'c/new', 'd']);
      await room.put('a', 'again');
      deepEqual(await room.listAll(), ['a', 'b', 'c/new', 'd']);
    },
  }),
  listCheck({
    id: 'list.whole',
    name: 'lists a key only when it can be read, and nothing else while results are written',
    run: async (room) => {
      const body = 'x'.repeat(200_000);
      const writer = { isDone: false };
      const write = async (): Promise<void> => {
        try {
          for (let index = 0; index < 30; index += 1) {
            await room.put(`input-${index % 3}/s-${index}.json`, body, { ifAbsent: index % 2 === 0 });
          }
        } finally {
          writer.isDone = true;
        }
      };
      const read = async (): Promise<void> => {
        while (!writer.isDone) {
          for (const name of await room.listAll()) {
            ok(/^input-\d\/s-\d+\.json$/.test(name), `listed ${name}, which nobody put`);
            equal(
              (await room.get(name))?.length,
              body.length,
              `listed ${name} before it could be read whole`,
            );
          }
        }
      };
      await Promise.all([write(), read()]);
    },
  }),
];
