import { expect, it, vi } from 'vitest';
import { callWithin } from './call-within.ts';
import { ManualClock } from '../testing/manual-clock.ts';

const never = (): Promise<never> => new Promise(() => undefined);

it('gives what the call gives, and leaves nothing behind', async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, 'removeEventListener');
  expect(await callWithin(async () => 1, { clock, signal, timeoutMs: 10 })).toBe(1);
  expect([clock.timers, remove.mock.calls.length]).toEqual([0, 1]);
});

it('ends a call whose time is up, also one that looks at no signal', async () => {
  const clock = new ManualClock();
  let seen: AbortSignal | undefined;
  const call = callWithin((signal) => ((seen = signal), never()), { clock, timeoutMs: 10 });
  clock.advance(10);
  await expect(call).rejects.toThrow('No answer within 10 ms');
  expect(seen?.reason).toMatchObject({ message: 'No answer within 10 ms' });
});

it('rejects with the error that the caller wants for a time-out', async () => {
  const clock = new ManualClock();
  const call = callWithin(never, { clock, timeoutMs: 10, timeoutError: (ms) => new RangeError(`${ms}`) });
  clock.advance(10);
  await expect(call).rejects.toThrow(new RangeError('10'));
});

it("rejects with the signal's reason, whatever the call makes of the abort", async () => {
  const controller = new AbortController();
  const call = callWithin(
    (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('of its own making')));
      }),
    { signal: controller.signal },
  );
  controller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
});

it('does not call where the signal has aborted', async () => {
  const call = vi.fn(never);
  await expect(callWithin(call, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  expect(call).not.toHaveBeenCalled();
});
