import { expect, it } from 'vitest';
import { SessionLocks } from './session-locks.ts';

it('lets one at a time work on a session, in order, and others beside it', async () => {
  const locks = new SessionLocks();
  const said: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string, ...sessionIds: string[]): Promise<void> =>
    locks.run(sessionIds, async () => {
      said.push(name);
      await new Promise<void>((resolve) => gates.set(name, resolve));
    });
  const all = [work('first', 'a'), work('both', 'a', 'b'), work('other', 'c'), work('last', 'b')];
  const idle = locks.idle();
  const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(said.toSorted()).toEqual(['first', 'other']);
  expect(['a', 'b', 'c', 'd'].map((sessionId) => locks.isHeld(sessionId))).toEqual([true, true, true, false]);
  for (const name of ['first', 'both', 'last', 'other']) {
    gates.get(name)!();
    await settled();
  }
  await Promise.all([...all, idle]);
  expect(said.filter((name) => name !== 'other')).toEqual(['first', 'both', 'last']);
  expect(locks.isHeld('a')).toBe(false);
});

it('continues behind work that fails', async () => {
  const locks = new SessionLocks();
  const failed = locks.run(['a'], () => Promise.reject(new Error('no')));
  const next = locks.run(['a'], () => Promise.resolve(7));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe(7);
});
