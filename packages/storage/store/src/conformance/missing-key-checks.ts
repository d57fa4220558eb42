import { equal, rejects } from 'node:assert/strict';
import { ArtError } from '@art/ground';
import { defineCheck } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

function isTyped(error: unknown): boolean {
  return ArtError.isInstance(error);
}

/** A key that is not there is an answer; an address that cannot be is an error. */
export const missingKeyChecks: readonly ResultStoreCheck[] = [
  defineCheck({
    id: 'missing.get',
    name: 'answers undefined to get of a missing key',
    run: async (room) => equal(await room.get('nobody/put/this.json'), undefined),
  }),
  defineCheck({
    id: 'missing.exists',
    name: 'answers false to exists of a missing key',
    run: async (room) => equal(await room.exists('nobody/put/this.json'), false),
  }),
  defineCheck({
    id: 'missing.neighbours',
    name: 'does not take a neighbour for a missing key: its directory, its beginning, what would be below it',
    run: async (room) => {
      await room.put('exp/input/session.json', 'here');
      for (const name of [
        'exp',
        'exp/input',
        'exp/input/session',
        'exp/input/session.jso',
        'exp/input/session.json.',
        'exp/input/session.json/more',
        'exp/inpu',
        'input/session.json',
      ]) {
        equal(await room.get(name), undefined, `get of ${name}`);
        equal(await room.exists(name), false, `exists of ${name}`);
      }
    },
  }),
  defineCheck({
    id: 'missing.then-there',
    name: 'finds a key as soon as put has answered, also after it was looked for in vain',
    run: async (room) => {
      for (let round = 0; round < 10; round += 1) {
        const name = `round-${round}/s.json`;
        equal(await room.exists(name), false);
        equal(await room.get(name), undefined);
        await room.put(name, String(round));
        equal(await room.exists(name), true);
        equal(await room.get(name), String(round));
      }
    },
  }),
  defineCheck({
    id: 'address.refused',
    name: 'refuses what cannot be an address: no bucket, no key, more than 1,024 bytes, broken Unicode',
    run: async ({ store, bucket, prefix }) => {
      const impossible = [
        { bucket: '', key: `${prefix}a` },
        { bucket, key: '' },
        { bucket, key: `${prefix}${'é'.repeat(512)}` },
        { bucket, key: `${prefix}\ud83d` },
      ];
      for (const at of impossible) {
        await rejects(store.put(at, '{}'), isTyped, `put at ${JSON.stringify(at)}`);
        await rejects(store.get(at), isTyped, `get at ${JSON.stringify(at)}`);
        await rejects(store.exists(at), isTyped, `exists at ${JSON.stringify(at)}`);
      }
    },
  }),
];
