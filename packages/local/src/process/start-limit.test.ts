import { expect, it } from 'vitest';
import { StartLimit } from './start-limit.ts';

it('lets a number through and then one for one, in order', async () => {
  const limit = new StartLimit(2);
  const first = await limit.acquire();
  await limit.acquire();
  const order: string[] = [];
  const third = limit.acquire().then((release) => {
    order.push('third');
    return release;
  });
  const fourth = limit.acquire().then((release) => {
    order.push('fourth');
    return release;
  });
  await Promise.resolve();
  expect(order).toEqual([]);
  first();
  // Giving a place back twice must not let two through.
  first();
  (await third)();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
});

it('forgets who has stopped waiting', async () => {
  const limit = new StartLimit(1);
  const release = await limit.acquire();
  const impatient = new AbortController();
  const waiting = limit.acquire(impatient.signal);
  const next = limit.acquire();
  impatient.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  release();
  (await next)();
  await limit.acquire();
  await expect(limit.acquire(impatient.signal)).rejects.toThrow('enough');
});
