import { expect, it } from 'vitest';
import { submitted } from './submitted.ts';

it('gives the same result each time, and is not thenable', async () => {
  const handle = submitted(Promise.resolve(7));
  expect([await handle.result(), await handle.result()]).toEqual([7, 7]);
  expect('then' in handle).toBe(false);
});

it('a signal ends the waiting and not the operation', async () => {
  const operation = Promise.withResolvers<string>();
  const handle = submitted(operation.promise);
  const stop = new AbortController();
  const waiting = handle.result({ signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(handle.result({ signal: stop.signal })).rejects.toThrow('enough');
  operation.resolve('done');
  await expect(handle.result()).resolves.toBe('done');
});

it('a failure that nobody asked for yet is told to whoever asks', async () => {
  const handle = submitted(Promise.reject(new Error('the session failed')));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(handle.result()).rejects.toThrow('the session failed');
});
