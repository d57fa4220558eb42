import { expect, it } from 'vitest';
import { WaitingCalls, type CallPriority, type WaitingCall } from './waiting-calls.ts';

function call(priority: CallPriority, sinceMs = 0): WaitingCall {
  return { priority, sinceMs, start: () => {} };
}

it('is first in, first out within a priority, and goes by priority between them', () => {
  const waiting = new WaitingCalls();
  const [stop, first, second, again] = [call('yielding'), call('normal'), call('normal'), call('first')];
  for (const one of [stop, first, second, again]) waiting.add(one);
  expect(waiting.size).toBe(4);
  const order = [waiting.shift(0), waiting.shift(0), waiting.shift(0), waiting.shift(0), waiting.shift(0)];
  expect(order).toEqual([again, first, second, stop, undefined]);
});

it('lets overdue calls alternate with the others', () => {
  const waiting = new WaitingCalls();
  for (let index = 0; index < 3; index += 1) {
    waiting.add(call('yielding', 0));
    waiting.add(call('normal', 0));
  }
  const order = Array.from({ length: 6 }, () => waiting.shift(2_000)?.priority);
  expect(order).toEqual(['yielding', 'normal', 'yielding', 'normal', 'yielding', 'normal']);
});

it('lets overdue calls follow each other when nothing else waits', () => {
  const waiting = new WaitingCalls();
  waiting.add(call('yielding', 0));
  waiting.add(call('yielding', 0));
  expect([waiting.shift(5_000)?.priority, waiting.shift(5_000)?.priority]).toEqual(['yielding', 'yielding']);
});

it('forgets a call that has left', () => {
  const waiting = new WaitingCalls();
  const [gone, stays] = [call('normal'), call('normal')];
  waiting.add(gone);
  waiting.add(stays);
  waiting.remove(gone);
  waiting.remove(gone);
  expect(waiting.shift(0)).toBe(stays);
  expect(waiting.size).toBe(0);
});
