import { expect, it } from 'vitest';

import { isServedBucketName } from './bucket-name.ts';
import { parseS3Target } from './s3-address.ts';

it.each([
  ['/', { bucket: '', key: '' }],
  ['/?x=1', { bucket: '', key: '' }],
  ['/bucket', { bucket: 'bucket', key: '' }],
  ['/bucket/?list-type=2', { bucket: 'bucket', key: '' }],
  ['/bucket/a%2Fb%252F+%20', { bucket: 'bucket', key: 'a/b%2F+ ' }],
  ['/bucket//a//', { bucket: 'bucket', key: '/a//' }],
  ['/bucket/../x/.', { bucket: 'bucket', key: '../x/.' }],
  ['/bucket/a?b%3F', { bucket: 'bucket', key: 'a' }],
  ['http://127.0.0.1:9000/bucket/k', { bucket: 'bucket', key: 'k' }],
])('reads %s', (url, at) => {
  expect(parseS3Target(url).at).toEqual(at);
});

it('reads the query', () => {
  const { query } = parseS3Target('/bucket?prefix=a%2Bb+c%20d&delete&empty=');
  expect([query.get('prefix'), query.has('delete'), query.get('empty')]).toEqual(['a+b c d', true, '']);
});

it.each([
  ['/bucket/%C3', 'InvalidURI'],
  ['/bucket/%zz', 'InvalidURI'],
  ['//key', 'InvalidBucketName'],
])('refuses %s: %s', (url, s3Code) => {
  expect(() => parseS3Target(url)).toThrow(expect.objectContaining({ s3Code }));
});

it('knows the names of buckets', () => {
  const good = ['abc', 'a-b.c', '0ab', 'x'.repeat(63)];
  const bad = [
    'ab',
    'x'.repeat(64),
    'Abc',
    'a_b',
    '-ab',
    'ab-',
    'a..b',
    '1.2.3.4',
    'xn--abc',
    'a/b',
    '.s3',
    '',
  ];
  expect(good.filter((name) => !isServedBucketName(name))).toEqual([]);
  expect(bad.filter(isServedBucketName)).toEqual([]);
});
