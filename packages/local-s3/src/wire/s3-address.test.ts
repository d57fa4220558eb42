import { expect, it } from 'vitest';

import { isBucketName } from './bucket-name.ts';
import { parseS3Target } from './s3-address.ts';

it.each([
  ['/', { kind: 'service' }],
  ['/?x=1', { kind: 'service' }],
  ['/bucket', { kind: 'bucket', bucket: 'bucket' }],
  ['/bucket/?list-type=2', { kind: 'bucket', bucket: 'bucket' }],
  ['/bucket/a%2Fb%252F+%20', { kind: 'object', bucket: 'bucket', key: 'a/b%2F+ ' }],
  ['/bucket//a//', { kind: 'object', bucket: 'bucket', key: '/a//' }],
  ['/bucket/../x/.', { kind: 'object', bucket: 'bucket', key: '../x/.' }],
  ['/bucket/a?b%3F', { kind: 'object', bucket: 'bucket', key: 'a' }],
  ['http://127.0.0.1:9000/bucket/k', { kind: 'object', bucket: 'bucket', key: 'k' }],
])('reads %s', (url, address) => {
  expect(parseS3Target(url).address).toEqual(address);
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
  expect(good.filter((name) => !isBucketName(name))).toEqual([]);
  expect(bad.filter(isBucketName)).toEqual([]);
});
