import { describe, expect, expectTypeOf, it } from 'vitest';
import { FileResultStore } from './file/file-result-store.ts';
import { MemoryResultStore } from './memory-result-store.ts';
import { resultStoreFromEnvironment } from './result-store-from-environment.ts';
import { resultStoreFromUrl } from './result-store-from-url.ts';
import type { ResultStore } from './result-store.ts';

describe('resultStoreFromUrl', () => {
  it('opens files and memory', () => {
    const store = resultStoreFromUrl('file:///tmp/results%20of%20%C3%A4/');
    expect(store).toBeInstanceOf(FileResultStore);
    expect((store as FileResultStore).root).toBe('/tmp/results of ä');
    expect(resultStoreFromUrl('memory:')).toBeInstanceOf(MemoryResultStore);
    expectTypeOf(resultStoreFromUrl).returns.toEqualTypeOf<ResultStore>();
  });

  it.each([
    ['s3://bucket/prefix', /@art\/store-s3/],
    ['/tmp/results', /write file:\/\/\/tmp\/results/],
    ['./results', /write file:\/\/\/.*\/results/],
    ['file:results', /three slashes/],
    ['file://results', /three slashes/],
    ['file:///tmp/a#b', /%23/],
    ['file:///tmp/a?b', /%3F/],
    ['file:///tmp/a%2Fb', /must not include encoded/],
    ['redis://localhost', /no store has that scheme/],
    ['', /no store has that scheme/],
    ['memory', /no store has that scheme/],
  ])('refuses %j', (url, why) => {
    expect(() => resultStoreFromUrl(url)).toThrow(why);
    expect(() => resultStoreFromUrl(url)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
  });
});

describe('resultStoreFromEnvironment', () => {
  it('opens what ART_RESULT_STORE names', () => {
    expect(resultStoreFromEnvironment({ ART_RESULT_STORE: 'file:///tmp/results' })).toMatchObject({
      root: '/tmp/results',
    });
  });

  it('answers undefined where it is not set', () => {
    expect(resultStoreFromEnvironment({})).toBeUndefined();
    expect(resultStoreFromEnvironment({ ART_RESULT_STORE: '' })).toBeUndefined();
  });

  it('names the variable in its errors', () => {
    expect(() => resultStoreFromEnvironment({ ART_RESULT_STORE: 'here' })).toThrow(
      /^ART_RESULT_STORE: Expected .* got "here"/,
    );
  });
});
