import { expect, it } from 'vitest';
import { EndpointLog } from './endpoint-log.ts';

const started = (sessionId: string) => ({ kind: 'session_started', agent: 'math', sessionId }) as const;

it('keeps the last entries under their own numbers', () => {
  const log = new EndpointLog(3);
  expect(log.after()).toEqual([]);
  for (let entry = 1; entry <= 20; entry += 1) {
    log.add(started(`s${entry}`));
    expect(log.after().map(({ seq }) => seq)).toEqual([entry - 2, entry - 1, entry].filter((seq) => seq > 0));
  }
  expect(log.lastSeq).toBe(20);
  expect(log.after(19)).toEqual([{ seq: 20, atMs: expect.any(Number), ...started('s20') }]);
  expect(log.after(20)).toEqual([]);
  expect(log.after(5).map(({ seq }) => seq)).toEqual([18, 19, 20]);
});

it('gives away copies, and tells of what it forgets as well', () => {
  const counted: string[] = [];
  const log = new EndpointLog(1, ({ kind }) => counted.push(kind));
  for (const sessionId of ['a', 'b', 'c']) log.add(started(sessionId));
  log.after()[0]!.atMs = 0;
  expect(log.after()[0]!.atMs).toBeGreaterThan(0);
  expect(counted).toHaveLength(3);
});
