import { ManualClock } from '@art/async/testing';
import { expect, it } from 'vitest';

import { ReadDeadline } from './read-deadline.ts';

it('aborts when nothing has come for too long, and not before', () => {
  const clock = new ManualClock();
  const deadline = new ReadDeadline(new AbortController().signal, 1_000, clock);
  clock.advance(900);
  deadline.refresh();
  clock.advance(999);
  expect(deadline.signal.aborted).toBe(false);
  clock.advance(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.isOver).toBe(true);
  expect(clock.timers).toBe(0);
});

it('follows the outer signal', () => {
  const clock = new ManualClock();
  const outer = new AbortController();
  const deadline = new ReadDeadline(outer.signal, 1_000, clock);
  outer.abort(new Error('left'));
  expect(deadline.signal.reason).toMatchObject({ message: 'left' });
  expect(deadline.isOver).toBe(false);
  deadline.end();
  expect(new ReadDeadline(outer.signal, 1_000, clock).signal.aborted).toBe(true);
  expect(clock.timers).toBe(0);
});

it('leaves nothing behind when it is over, and waits forever with 0', () => {
  const clock = new ManualClock();
  const deadline = new ReadDeadline(new AbortController().signal, 1_000, clock);
  deadline.end();
  expect(clock.timers).toBe(0);
  const patient = new ReadDeadline(new AbortController().signal, 0, clock);
  expect(clock.timers).toBe(0);
  expect(patient.signal.aborted).toBe(false);
});
