import { expect, it } from 'vitest';
import { sampleRow } from '../../testing/sample-row.fixture.ts';
import { sessionsAtWork } from './run-curves.ts';

const ended = (submittedAtMs: number, settledMs: number) =>
  sampleRow({ attempts: [{ outcome: 'ok', submittedAtMs, settledMs, throttled: 0, resent: 0 }] });

it('counts sessions that are under way, up to now', () => {
  const live = [{ submittedAtMs: 1_100 }, { submittedAtMs: 1_300 }];
  expect(sessionsAtWork([ended(1_000, 200)], 1_000, { live, atWork: 2, atMs: 1_500 })).toEqual({
    xs: [0, 100, 200, 300, 500],
    ys: [1, 2, 1, 2, 2],
  });
  // Before the first one has ended.
  expect(sessionsAtWork([], 1_000, { live, atWork: 1_700, atMs: 1_500 })).toEqual({
    xs: [100, 300, 500],
    ys: [1, 2, 1_700],
  });
});

it('ends where the last session ended in a run that is over', () => {
  expect(sessionsAtWork([ended(1_000, 200)], 1_000)).toEqual({ xs: [0, 200], ys: [1, 0] });
});
