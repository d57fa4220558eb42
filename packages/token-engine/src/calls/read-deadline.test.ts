import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { ReadDeadline } from './read-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('aborts when nothing has come for too long, and not before', () => {
  const deadline = new ReadDeadline(new AbortController().signal, 1_000);
  vi.advanceTimersByTime(900);
  deadline.refresh();
  vi.advanceTimersByTime(999);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.isOver).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('follows the outer signal', () => {
  const outer = new AbortController();
  const deadline = new ReadDeadline(outer.signal, 1_000);
  outer.abort(new Error('left'));
  expect(deadline.signal.reason).toMatchObject({ message: 'left' });
  expect(deadline.isOver).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
  expect(new ReadDeadline(outer.signal, 1_000).signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('leaves nothing behind when it is over, and waits forever with 0', () => {
  const deadline = new ReadDeadline(new AbortController().signal, 1_000);
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
  const patient = new ReadDeadline(new AbortController().signal, 0);
  expect(vi.getTimerCount()).toBe(0);
  expect(patient.signal.aborted).toBe(false);
});
