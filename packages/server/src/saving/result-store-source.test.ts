import { FileResultStore, MemoryResultStore, registerStoreDriver } from '@art/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ResultStoreSource } from './result-store-source.ts';

afterEach(() => vi.unstubAllEnvs());

describe('ResultStoreSource', () => {
  it('hands out a store as it is', async () => {
    const store = new MemoryResultStore();
    expect(await new ResultStoreSource(store).open()).toBe(store);
  });

  it('asks a function when the first rollout comes, once', async () => {
    const store = new MemoryResultStore();
    const make = vi.fn(async () => store);
    const source = new ResultStoreSource(make);
    expect(make).not.toHaveBeenCalled();
    expect(await Promise.all([source.open(), source.open()])).toEqual([store, store]);
    expect(make).toHaveBeenCalledOnce();
  });

  it('asks again after a failure', async () => {
    const store = new MemoryResultStore();
    const make = vi.fn(async () => store).mockRejectedValueOnce(new Error('no credentials yet'));
    const source = new ResultStoreSource(make);
    await expect(source.open()).rejects.toThrow('no credentials yet');
    expect(await source.open()).toBe(store);
  });

  it('takes the store that the environment names', async () => {
    vi.stubEnv('ART_RESULT_STORE', 'file:///tmp/art-never-written');
    expect(await new ResultStoreSource().open()).toBeInstanceOf(FileResultStore);
    const own = new MemoryResultStore();
    registerStoreDriver('art-test', () => own);
    vi.stubEnv('ART_RESULT_STORE', 'art-test://anywhere');
    expect(await new ResultStoreSource().open()).toBe(own);
    vi.stubEnv('ART_RESULT_STORE', '');
    await expect(new ResultStoreSource().open()).rejects.toMatchObject({ code: 'ART_NO_RESULT_STORE' });
  });

  it('refuses what is no store', async () => {
    await expect(new ResultStoreSource(() => ({}) as never).open()).rejects.toThrow(/put, get and exists/);
  });
});
