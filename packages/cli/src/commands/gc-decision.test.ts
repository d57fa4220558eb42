import { describe, expect, it } from 'vitest';
import { decideRun } from './gc.ts';

const holder = { pid: 7, host: 'h', startedAt: 'x', sinceMs: 0, claimId: 'c' };
const run = { runId: 'r', isFinished: true, openSessions: 0, heldBy: undefined, lastAtMs: 0 };
type Run = Parameters<typeof decideRun>[0];
const heldBy = (state: 'alive' | 'dead' | 'unknown') => ({ state, holder }) as unknown as Run['heldBy'];

describe('decideRun', () => {
  it.each<[string, Partial<Run>, boolean, number, 'remove' | RegExp | undefined]>([
    ['finished and old', {}, false, 1_000, 'remove'],
    ['finished and young', {}, false, 999, undefined],
    ['unfinished', { isFinished: false }, false, 1_000, /art resume r.*--unfinished/],
    ['unfinished, and asked for', { isFinished: false }, true, 1_000, 'remove'],
    [
      'with a session that may live',
      { isFinished: false, openSessions: 1 },
      true,
      1_000,
      /1 session that may/,
    ],
    ['finished, with sessions', { openSessions: 2 }, true, 1_000, /2 sessions that may live; "art stop r"/],
    ['held', { heldBy: heldBy('alive') }, true, 1_000, /process 7 on h/],
    ['held, as far as one can see', { heldBy: heldBy('unknown') }, true, 1_000, /process 7 on h/],
    ['of a process that died', { heldBy: heldBy('dead') }, false, 1_000, 'remove'],
  ])('%s', (_, change, unfinished, nowMs, expected) => {
    const decision = decideRun({ ...run, ...change }, { olderThan: 1_000, unfinished }, nowMs);
    if (expected === 'remove') expect(decision).toEqual({ kind: 'remove' });
    else if (expected === undefined) expect(decision).toEqual({ kind: 'keep', why: undefined });
    else expect(decision).toMatchObject({ kind: 'keep', why: expect.stringMatching(expected) as string });
  });
});
