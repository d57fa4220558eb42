import { expect, it } from 'vitest';
import { KeyIndex } from './key-index.ts';
import { listObjects } from './list-objects.ts';

const keysOf = (body = ''): string[] =>
  Array.from(body.matchAll(/<Key>(.*?)<\/Key>/g), (match) => match[1] ?? '');
const list = (index: KeyIndex, query: Record<string, string>): string =>
  listObjects(index, 'b', new URLSearchParams(query)).body ?? '';

it('pages by continuation token and by start-after', () => {
  const index = new KeyIndex(['e/1', 'e/2', 'e/3', 'f/1']);
  const first = list(index, { prefix: 'e/', 'max-keys': '2' });
  expect(keysOf(first)).toEqual(['e/1', 'e/2']);
  expect(first).toContain('<IsTruncated>true</IsTruncated>');
  const token = /<NextContinuationToken>(.*?)</.exec(first)?.[1] ?? '';
  expect(keysOf(list(index, { prefix: 'e/', 'continuation-token': token }))).toEqual(['e/3']);
  expect(keysOf(list(index, { prefix: 'e/', 'start-after': 'e/1' }))).toEqual(['e/2', 'e/3']);
});

it('gives at most 1,000 keys, as S3 does', () => {
  const index = new KeyIndex(Array.from({ length: 1_200 }, (_, n) => `e/${String(n).padStart(5, '0')}`));
  expect(keysOf(list(index, { 'max-keys': '5000' }))).toHaveLength(1_000);
});

it('writes keys for XML, or percent-encoded where that was asked for', () => {
  const index = new KeyIndex(['a&<b']);
  expect(keysOf(list(index, {}))).toEqual(['a&amp;&lt;b']);
  expect(keysOf(list(index, { 'encoding-type': 'url' }))).toEqual(['a%26%3Cb']);
});
