import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  it('never lets more in than its limit, first come first served', async () => {
    const limit = new Semaphore(2);
    let inside = 0;
    let peak = 0;
    const order: number[] = [];
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const work = gates.map((gate, index) =>
      limit.run(undefined, async () => {
        order.push(index);
        peak = Math.max(peak, (inside += 1));
        await gate.promise;
        inside -= 1;
      }),
    );
    for (const gate of gates) {
      gate.resolve();
      await Promise.resolve();
    }
    await Promise.all(work);
    expect(peak).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it('gives its place up when the work fails', async () => {
    const limit = new Semaphore(1);
    await expect(limit.run(undefined, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await limit.run(undefined, () => Promise.resolve(1))).toBe(1);
  });

  it('an aborted waiter leaves the queue and takes no place', async () => {
    const limit = new Semaphore(1);
    const gate = Promise.withResolvers<void>();
    const first = limit.run(undefined, () => gate.promise);
    const abort = new AbortController();
    let ran = false;
    const second = limit.run(abort.signal, async () => {
      ran = true;
    });
    const third = limit.run(undefined, () => Promise.resolve('third'));
    abort.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    gate.resolve();
    await first;
    expect(await third).toBe('third');
    expect(ran).toBe(false);
  });
});
