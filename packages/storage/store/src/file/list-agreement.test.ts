import { seededNumbers } from '@art/tooling/seeded-numbers';
import { expect, it } from 'vitest';
import { compareKeys } from '../sorted-keys.ts';
import { MemoryResultStore } from '../memory-result-store.ts';
import { FileResultStore } from './file-result-store.ts';
import { storeRoot } from './store-root.fixture.ts';

const bucket = 'bucket';
const letters = [
  'a',
  'A',
  'b',
  '-',
  '.',
  '0',
  '%',
  ' ',
  'é',
  '\uffee',
  '😀',
  '~',
  '=',
  '.json',
  'x'.repeat(130),
];

it.each([1, 2, 3, 4])(
  'lists what the memory store lists, for random keys and ranges (seed %i)',
  async (seed) => {
    const numbers = seededNumbers(seed);
    const random = (below: number): number => Math.floor(numbers() * below);
    const segment = (): string => {
      const text = Array.from({ length: 1 + random(3) }, () => letters[random(letters.length)]).join('');
      return text === '.' || text === '..' ? 'dot' : text;
    };
    const randomKey = (): string => Array.from({ length: 1 + random(3) }, segment).join('/');
    const memory = new MemoryResultStore();
    const files = new FileResultStore({ root: await storeRoot(), durability: 'process' });
    const keys = [...new Set(Array.from({ length: 150 }, randomKey))];
    for (const key of keys) {
      await memory.put({ bucket, key }, key);
      await files.put({ bucket, key }, key);
    }
    const part = (key: string): string => {
      const characters = Array.from(key); // by code point, so that no part ends inside of a surrogate pair
      return characters.slice(0, random(characters.length + 1)).join('');
    };
    const anyKey = (): string => (random(2) === 0 ? keys[random(keys.length)]! : randomKey());
    expect((await files.list({ bucket, prefix: '' })).keys).toEqual(keys.toSorted(compareKeys));
    for (let round = 0; round < 80; round += 1) {
      const range = {
        bucket,
        prefix: random(3) === 0 ? '' : part(anyKey()),
        startAfter: random(2) === 0 ? undefined : part(anyKey()),
        limit: 1 + random(20),
      };
      expect({ range, page: await files.list(range) }).toEqual({ range, page: await memory.list(range) });
    }
    for (const key of keys) expect(await files.get({ bucket, key })).toBe(key);
  },
);
