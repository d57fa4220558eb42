import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { FileResultStore } from './file/file-result-store.ts';
import { MemoryResultStore } from './memory-result-store.ts';
import {
  checkResultStoreVariable,
  resultStoreFromEnvironment,
  resultStoreFromUrl,
} from './result-store-from-url.ts';
import type { ResultStore } from './result-store.ts';
import { registerStoreDriver } from './store-driver.ts';

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
    ['mount:/mnt/results?bucket=my-results', /form mount/],
    ['mount://mnt/results?bucket=my-results', /form mount/],
    ['mount:///?bucket=my-results', /form mount/],
    ['mount:///mnt/results', /form mount/],
    ['mount:///mnt/results?bucket=No', /form mount/],
    ['mount:///mnt/results?bucket=my-results&prefx=math/', /form mount/],
    ['mount:///mnt/results?bucket=my-results#a', /form mount/],
    ['mount:///mnt/results?bucket=my-results&prefix=math', /slash at its end/],
    ['mount:///mnt/results?bucket=my-results&prefix=/', /slash at its end/],
    ['mount:///mnt/results?bucket=my-results&prefix=a/../', /slash at its end/],
    ['mount:///mnt/a%2Fb?bucket=my-results', /must not include encoded/],
    ['redis://localhost', /no store has that scheme/],
    ['', /no store has that scheme/],
    ['memory', /no store has that scheme/],
  ])('refuses %j', (url, why) => {
    expect(() => resultStoreFromUrl(url)).toThrow(why);
    expect(() => resultStoreFromUrl(url)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
  });
});

describe('registerStoreDriver', () => {
  it('opens URLs of its scheme, in any case, with the URL', () => {
    const opened: string[] = [];
    const store = new MemoryResultStore();
    registerStoreDriver('art-test', (url) => {
      opened.push(url.href);
      return store;
    });
    expect(resultStoreFromUrl('art-test://user:pass@host:1/a?b=c#d')).toBe(store);
    expect(resultStoreFromEnvironment({ ART_RESULT_STORE: 'Art-Test:anything' })).toBe(store);
    expect(opened).toEqual(['art-test://user:pass@host:1/a?b=c#d', 'art-test:anything']);
    const later = new MemoryResultStore();
    registerStoreDriver('art-test', () => later);
    expect(resultStoreFromUrl('art-test:x')).toBe(later);
  });

  it('is known to another copy of this package', async () => {
    registerStoreDriver('art-copy', () => new MemoryResultStore());
    vi.resetModules();
    const copy = await import('./result-store-from-url.ts');
    expect(copy.resultStoreFromUrl).not.toBe(resultStoreFromUrl);
    expect(copy.resultStoreFromUrl('art-copy:')).toHaveProperty('put');
  });

  it.each(['file', 'memory', 'mount', 's3', 'Redis', 'redis:', '9p', '', undefined, 'a b'])(
    'refuses the scheme %j',
    (scheme) => {
      expect(() => registerStoreDriver(scheme as string, () => new MemoryResultStore())).toThrow(
        expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
      );
    },
  );

  it('refuses what is no driver, and tells of one that fails, without the password', () => {
    expect(() => registerStoreDriver('art-test', {} as never)).toThrow(/function of a URL/);
    const cause = new Error('no such host');
    registerStoreDriver('art-test', () => {
      throw cause;
    });
    const open = (): ResultStore => resultStoreFromUrl('art-test://me:secret@host/0');
    expect(open).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION', cause }));
    expect(open).toThrow(/got "art-test:\/\/\[redacted\]@host\/0"\..* no such host/);
    registerStoreDriver('art-test', (() => Promise.resolve(new MemoryResultStore())) as never);
    expect(() => resultStoreFromUrl('art-test://[::')).toThrow(/Invalid URL/);
    expect(open).toThrow(/driver gave .* instead of an object with put, get and exists/);
  });
});

describe('resultStoreFromEnvironment', () => {
  it('opens what ART_RESULT_STORE names', () => {
    expect(resultStoreFromEnvironment({ ART_RESULT_STORE: 'file:///tmp/results' })).toMatchObject({
      root: '/tmp/results',
    });
  });

  it('opens a mounted bucket, and another store for what is outside of it', async () => {
    const other = new MemoryResultStore();
    const env = { ART_RESULT_STORE: 'mount:///mnt/results%20of/?bucket=my-results&prefix=math/' };
    const store = resultStoreFromEnvironment(env, async () => other)!;
    const at = { bucket: 'others', key: 'e/i/s.json' };
    expect(await store.put(at, 'text')).toEqual({ kind: 'stored' });
    expect(await other.get(at)).toBe('text');
    const inside = { bucket: 'my-results', key: 'math/e/s.json' };
    await expect(store.put(inside, 'text')).rejects.toThrow('mounted at /mnt/results of, got nothing');
    await expect(resultStoreFromEnvironment(env)!.put(at, 'text')).rejects.toThrow(/@art\/agent/);
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

describe('checkResultStoreVariable', () => {
  it('says at start what could not be opened later, and opens nothing', () => {
    for (const url of ['redsi://host/0', 'here', 's3://bucket', 'file:results'])
      expect(() => checkResultStoreVariable({ ART_RESULT_STORE: url })).toThrow(
        expect.objectContaining({
          code: 'ART_INVALID_OPTION',
          message: expect.stringMatching(/^ART_RESULT_STORE: /) as string,
        }),
      );
    registerStoreDriver('art-test', () => expect.fail('nobody needs it yet'));
    for (const url of ['art-test://host', 'memory:', 'file:///tmp/results', ''])
      checkResultStoreVariable({ ART_RESULT_STORE: url });
    checkResultStoreVariable({});
  });
});
