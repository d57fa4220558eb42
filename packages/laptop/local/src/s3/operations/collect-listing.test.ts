import { compareKeys } from '@art/store';
import { expect, it } from 'vitest';

import { MemoryObjectBackend } from '../backend/memory-object-backend.ts';
import type { KeyRange } from '../backend/object-backend.ts';
import { storeObject } from '../backend/store-object.fixture.ts';
import { collectListing, type ListingEntry } from './collect-listing.ts';
import { readContinuationToken, writeContinuationToken } from './list-objects.ts';

const textOf = (entry: ListingEntry): string => (entry.kind === 'key' ? entry.key : `${entry.prefix}*`);

/** Listing without pages, made the slow way. */
function expected(keys: readonly string[], prefix: string, delimiter: string): string[] {
  const entries = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return at === -1 ? key : `${key.slice(0, at + delimiter.length)}*`;
    });
  return [...new Set(entries)];
}

const last = '\u{10ffff}';
const keys = [
  'a',
  'a-b/x',
  'a/',
  'a/b',
  'a/b/c',
  'a/b/d',
  'a/c',
  'a0',
  'b//c',
  'b/c',
  'é/1',
  'é/2',
  '\uffff/1',
  '😀/1',
  '😀/2',
  ...['', last, 'b', 'bb'].map((end) => `z/${last.repeat(255)}${end}`.slice(0, 512)),
].toSorted(compareKeys);

it.each([
  ['', ''],
  ['', '/'],
  ['a', '/'],
  ['a/', '/'],
  ['a/b', '/'],
  ['a/b', ''],
  ['é', '/'],
  ['', 'b'],
  ['', '//'],
  ['none', '/'],
  ['z/', '/'],
])('lists prefix %j with delimiter %j in pages of any size', async (prefix, delimiter) => {
  const backend = new MemoryObjectBackend();
  for (const key of keys) await storeObject(backend, { bucket: 'b', key }, key);
  for (const maxEntries of [1, 2, 3, 1_000]) {
    const found: string[] = [];
    let startAfter: string | undefined;
    do {
      const page = await collectListing({ bucket: 'b', prefix, delimiter, startAfter, maxEntries }, (range) =>
        backend.list(range),
      );
      expect(page.entries.length).toBeLessThanOrEqual(maxEntries);
      expect(page.nextAfter === undefined || page.entries.length === maxEntries).toBe(true);
      found.push(...page.entries.map(textOf));
      startAfter = page.nextAfter && readContinuationToken(writeContinuationToken(page.nextAfter));
    } while (startAfter !== undefined && found.length < 100);
    expect(found).toEqual(expected(keys, prefix, delimiter));
  }
});

it('jumps over what a common prefix hides', async () => {
  const backend = new MemoryObjectBackend();
  for (let index = 0; index < 3_000; index += 1) {
    await storeObject(backend, { bucket: 'b', key: `a/${index}` }, '');
  }
  await storeObject(backend, { bucket: 'b', key: 'b' }, '');
  const asked: KeyRange[] = [];
  const page = await collectListing(
    { bucket: 'b', prefix: '', delimiter: '/', startAfter: undefined, maxEntries: 1_000 },
    (range) => {
      asked.push(range);
      return backend.list(range);
    },
  );
  expect(page.entries.map(textOf)).toEqual(['a/*', 'b']);
  expect(asked).toHaveLength(2);
});

it('asks for nothing where nothing is wanted', async () => {
  const page = await collectListing(
    { bucket: 'b', prefix: '', delimiter: '', startAfter: undefined, maxEntries: 0 },
    () => expect.fail('Expected no call.'),
  );
  expect(page).toEqual({ entries: [], nextAfter: undefined });
});
