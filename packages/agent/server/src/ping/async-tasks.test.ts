import { describe, expect, expectTypeOf, it } from 'vitest';
import { AsyncTasks } from './async-tasks.ts';

describe('AsyncTasks', () => {
  it('lists what is running, with its age in seconds', () => {
    let nowMs = 0;
    const tasks = new AsyncTasks(() => nowMs);
    const first = tasks.add('first', { step: 1 });
    nowMs = 1_500;
    const second = tasks.add('second');
    expect(second).not.toBe(first);
    expect(tasks.info()).toEqual({
      activeCount: 2,
      runningJobs: [
        { name: 'first', duration: 1.5, metadata: { step: 1 } },
        { name: 'second', duration: 0 },
      ],
    });
    expect([tasks.complete(first), tasks.complete(first), tasks.complete(99)]).toEqual([true, false, false]);
    expect(tasks.busy).toBe(true);
    tasks.complete(second);
    expect(tasks.busy).toBe(false);
  });

  it('counts the calls of a wrapped function, whatever becomes of them', async () => {
    const tasks = new AsyncTasks();
    const gate = Promise.withResolvers<number>();
    const work = tasks.track(async function work(this: unknown, _factor: number) {
      return gate.promise;
    });
    expect(work.name).toBe('work');
    const call = work(2);
    expect(tasks.info().runningJobs.map((job) => job.name)).toEqual(['work']);
    gate.resolve(3);
    expect(await call).toBe(3);
    expect(tasks.busy).toBe(false);
    expectTypeOf(work).toEqualTypeOf<(factor: number) => Promise<number>>();

    const failing = tasks.track(() => {
      throw new Error('sync');
    });
    await expect(failing()).rejects.toThrow('sync');
    expect(tasks.busy).toBe(false);
  });

  it('passes on its caller', async () => {
    const tasks = new AsyncTasks();
    const owner = {
      name: 'owner',
      work: tasks.track(async function (this: unknown) {
        return (this as { name: string }).name;
      }),
    };
    expect(await owner.work()).toBe('owner');
  });

  it('refuses what is no name and no function', () => {
    const tasks = new AsyncTasks();
    expect(() => tasks.add('')).toThrow(/non-empty string/);
    expect(() => tasks.track(1 as never)).toThrow(/Expected `run` to be a function, got 1/);
  });
});
