import { FileResultStore, MemoryResultStore, registerStoreDriver } from '@art/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { storeOpener } from './store-opener.ts';

afterEach(() => vi.unstubAllEnvs());

describe('storeOpener', () => {
  it('hands out a store as it is', async () => {
    const store = new MemoryResultStore();
    expect(await storeOpener(store)()).toBe(store);
  });

  it('asks a function when the first rollout comes, once', async () => {
    const store = new MemoryResultStore();
    const make = vi.fn(async () => store);
    const open = storeOpener(make);
    expect(make).not.toHaveBeenCalled();
    expect(await Promise.all([open(), open()])).toEqual([store, store]);
    expect(make).toHaveBeenCalledOnce();
  });

  it('asks again after a failure', async () => {
    const store = new MemoryResultStore();
    const make = vi.fn(async () => store).mockRejectedValueOnce(new Error('no credentials yet'));
    const open = storeOpener(make);
    await expect(open()).rejects.toThrow('no credentials yet');
    expect(await open()).toBe(store);
  });

  it('takes the store that the environment names', async () => {
    vi.stubEnv('ART_RESULT_STORE', 'file:///tmp/art-never-written');
    expect(await storeOpener()()).toBeInstanceOf(FileResultStore);
    const own = new MemoryResultStore();
    registerStoreDriver('art-test', () => own);
    vi.stubEnv('ART_RESULT_STORE', 'art-test://anywhere');
    expect(await storeOpener()()).toBe(own);
    vi.stubEnv('ART_RESULT_STORE', '');
    await expect(storeOpener()()).rejects.toMatchObject({ code: 'ART_NO_RESULT_STORE' });
  });

  it('refuses what is no store', async () => {
    await expect(storeOpener(() => ({}) as never)()).rejects.toThrow(/put, get and exists/);
  });
});
