import { deepEqual, equal } from 'node:assert/strict';
import type { PutOutcome } from '../result-store.ts';
import { defineCheck } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

const ifAbsent = { ifAbsent: true } as const;

function storedCount(outcomes: readonly PutOutcome[]): number {
  return outcomes.filter((outcome) => outcome.kind === 'stored').length;
}

/** First result wins, decided by the store. */
export const ifAbsentChecks: readonly ResultStoreCheck[] = [
  defineCheck({
    id: 'if-absent.new',
    name: 'stores with ifAbsent where nothing is',
    run: async (room) => {
      deepEqual(await room.put('n/s.json', 'first', ifAbsent), { kind: 'stored' });
      equal(await room.get('n/s.json'), 'first');
    },
  }),
  defineCheck({
    id: 'if-absent.existing',
    name: 'answers exists and keeps the first body, however often it is tried',
    run: async (room) => {
      await room.put('e/s.json', 'first', ifAbsent);
      deepEqual(await room.put('e/s.json', 'second', ifAbsent), { kind: 'exists' });
      deepEqual(await room.put('e/s.json', 'first', ifAbsent), { kind: 'exists' });
      equal(await room.get('e/s.json'), 'first');
    },
  }),
  defineCheck({
    id: 'if-absent.empty-body',
    name: 'counts an empty body as there',
    run: async (room) => {
      await room.put('empty.json', '');
      deepEqual(await room.put('empty.json', 'second', ifAbsent), { kind: 'exists' });
      equal(await room.get('empty.json'), '');
    },
  }),
  defineCheck({
    id: 'if-absent.after-overwrite',
    name: 'answers exists after an overwrite, and overwriting still works after that',
    run: async (room) => {
      await room.put('m.json', 'first', ifAbsent);
      await room.put('m.json', 'second');
      deepEqual(await room.put('m.json', 'third', ifAbsent), { kind: 'exists' });
      equal(await room.get('m.json'), 'second');
      deepEqual(await room.put('m.json', 'fourth', { ifAbsent: false }), { kind: 'stored' });
      equal(await room.get('m.json'), 'fourth');
    },
  }),
  defineCheck({
    id: 'if-absent.race',
    name: 'lets exactly one of 20 concurrent writers win, and keeps the body of the winner',
    run: async (room) => {
      for (let round = 0; round < 5; round += 1) {
        const name = `race-${round}/s.json`;
        const bodies = Array.from({ length: 20 }, (_, writer) =>
          `writer ${writer} `.repeat(1 + writer * 500),
        );
        const outcomes = await Promise.all(bodies.map((body) => room.put(name, body, ifAbsent)));
        equal(storedCount(outcomes), 1, `writers who were told that they stored, round ${round}`);
        const winner = outcomes.findIndex((outcome) => outcome.kind === 'stored');
        equal((await room.get(name)) === bodies[winner], true, 'the stored body is not that of the winner');
      }
    },
  }),
  defineCheck({
    id: 'if-absent.different-keys',
    name: 'lets concurrent writers of different keys in a new directory all win',
    run: async (room) => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          room.put(`new/deep/er/${index}.json`, String(index), ifAbsent),
        ),
      );
      equal(storedCount(outcomes), 20);
    },
  }),
];
