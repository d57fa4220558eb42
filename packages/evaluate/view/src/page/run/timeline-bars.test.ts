import { expect, it } from 'vitest';
import { sampleRow } from '../../testing/sample-row.fixture.ts';
import { mostTelling, timelineLines } from './timeline-bars.ts';

const times = { startMs: 1_000, nowMs: 9_000, limitMs: 5_000 };

it('has the phases of the last attempt behind those that were tried again', () => {
  const lost = { outcome: 'lost' as const, submittedAtMs: 1_000, settledMs: 500, throttled: 2, resent: 0 };
  const last = { outcome: 'ok' as const, submittedAtMs: 2_000, settledMs: 860, throttled: 0, resent: 0 };
  const [line] = timelineLines([sampleRow({ submittedAtMs: 2_000, attempts: [lost, last] })], [], times);
  expect(line).toMatchObject({
    bars: [
      { phase: 'lost', fromMs: 0, toMs: 500 },
      { phase: 'waiting', fromMs: 1_000, toMs: 1_100 },
      { phase: 'working', fromMs: 1_100, toMs: 1_800 },
      { phase: 'noticing', fromMs: 1_800, toMs: 1_850 },
      { phase: 'stopping', fromMs: 1_850, toMs: 1_900 },
    ],
    throttledMs: [0],
    retries: 1,
    hasFailed: false,
  });
});

it('a session under way grows until now', () => {
  const live = {
    taskId: 't',
    sample: 1,
    attempt: 0,
    sessionId: 's',
    submittedAtMs: 3_000,
    acceptedMs: 200,
    noticedMs: null,
  };
  expect(timelineLines([], [live], times)).toMatchObject([
    { at: undefined, bars: [{ toMs: 2_200 }, { phase: 'working', fromMs: 2_200, toMs: 8_000 }] },
  ]);
});

it('of many lines those stay that failed or took long', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) =>
    sampleRow({
      at,
      submittedAtMs: 1_000 + at,
      outcome: at === 501 ? 'lost' : 'ok',
      ...(at === 777 && { latencyMs: 6_000 }),
    }),
  );
  const shown = mostTelling(timelineLines(rows, [], times), 100);
  expect(shown).toHaveLength(100);
  expect(shown.filter(({ hasFailed }) => hasFailed)).toMatchObject([{ at: 501 }]);
  expect(shown.filter(({ isStraggler }) => isStraggler)).toMatchObject([{ at: 777 }]);
});
