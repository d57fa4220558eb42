import { expect, it, vi } from 'vitest';
import { AcceptedRuns } from './accepted-runs.ts';

it('remembers those that ended last, which do not begin again', async () => {
  const runs = new AcceptedRuns<string>(1);
  const begin = vi.fn(async () => 'begun');
  for (const key of ['a', 'b']) {
    await runs.accept(key, begin);
    runs.end(key);
  }
  expect(begin).toHaveBeenCalledTimes(2);
  expect(await runs.accept('b', begin)).toBe('begun');
  expect(begin).toHaveBeenCalledTimes(2);
  expect(await runs.find('a')).toBeUndefined();
  await runs.accept('a', begin);
  expect(begin).toHaveBeenCalledTimes(3);
});

it('knows nothing of what could not begin, and lets an equal one that waited begin', async () => {
  const runs = new AcceptedRuns<string>(0);
  const first = runs.accept('a', () => Promise.reject(new Error('refused')));
  const second = runs.accept('a', async () => 'begun');
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe('begun');
});
