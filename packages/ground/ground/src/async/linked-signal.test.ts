import { expect, it, vi } from 'vitest';
import { linkSignals } from './linked-signal.ts';

it('aborts with the reason of whichever source is first', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const link = linkSignals(first.signal, undefined, second.signal);
  second.abort('second');
  first.abort('first');
  expect(link.signal.reason).toBe('second');
});

it('is aborted from the start when a source is', () => {
  expect(linkSignals(new AbortController().signal, AbortSignal.abort('gone')).signal.reason).toBe('gone');
});

it('lets go of its sources', () => {
  const source = new AbortController();
  const remove = vi.spyOn(source.signal, 'removeEventListener');
  const link = linkSignals(source.signal);
  link.unlink();
  link.unlink();
  source.abort('late');
  expect(link.signal.aborted).toBe(false);
  expect(remove).toHaveBeenCalledTimes(1);
});
