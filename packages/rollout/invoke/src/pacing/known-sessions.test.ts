import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KnownSessions } from './known-sessions.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('knows a session until it is stopped, or has been idle for as long as AgentCore keeps it', () => {
  const sessions = new KnownSessions();
  sessions.add('a');
  sessions.add('b');
  sessions.delete('a');
  expect(sessions.has('a')).toBe(false);
  vi.advanceTimersByTime(800_000);
  expect(sessions.has('b')).toBe(true);
  sessions.add('b');
  vi.advanceTimersByTime(800_000);
  expect(sessions.has('b')).toBe(true);
  vi.advanceTimersByTime(100_000);
  expect(sessions.has('b')).toBe(false);
});

it('does not grow without end', () => {
  const sessions = new KnownSessions();
  for (let index = 0; index <= 100_000; index += 1) sessions.add(`s-${index}`);
  expect(sessions.has('s-0')).toBe(false);
  expect(sessions.has('s-1')).toBe(true);
});
