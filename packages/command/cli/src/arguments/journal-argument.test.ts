import { describe, expect, it } from 'vitest';
import { ageArgument } from './number-argument.ts';
import { journalArgument } from './journal-argument.ts';

describe('journalArgument', () => {
  it.each([
    ['.art/runs', { kind: 'folder', directory: '.art/runs' }],
    ['/var/runs', { kind: 'folder', directory: '/var/runs' }],
    ['s3://my-bucket', { kind: 's3', bucket: 'my-bucket', prefix: undefined }],
    ['s3://my-bucket/', { kind: 's3', bucket: 'my-bucket', prefix: undefined }],
    ['s3://my-bucket/team/.journals', { kind: 's3', bucket: 'my-bucket', prefix: 'team/.journals' }],
    ['file:///data#results', { kind: 'files', url: 'file:///data', bucket: 'results', prefix: undefined }],
    ['file:///data#results/j', { kind: 'files', url: 'file:///data', bucket: 'results', prefix: 'j' }],
  ])('reads %s', (text, place) => {
    expect(journalArgument(text)).toEqual(place);
  });

  it.each([
    '',
    ' ',
    's3://',
    's3://A',
    's3://my-bucket//x',
    's3://my-bucket/../x',
    'file:///data',
    'file:data#b',
    'memory:',
    'gs://x',
  ])('refuses %j', (text) => {
    expect(() => journalArgument(text)).toThrow(/Expected .*got/);
  });
});

describe('ageArgument', () => {
  it('reads seconds, minutes, hours and days', () => {
    expect(['0s', '30s', '90m', '12h', '7d'].map(ageArgument)).toEqual([
      0, 30_000, 5_400_000, 43_200_000, 604_800_000,
    ]);
  });

  it.each(['', '7', 'd', '-1d', '1.5h', '7 d', '1w'])('refuses %j', (text) => {
    expect(() => ageArgument(text)).toThrow(/7d, 12h/);
  });
});
