import { expect, it } from 'vitest';
import { buildTrajectory } from '../build/build-trajectory.ts';
import { aCapture } from '../testing/scripted-captures.ts';

const first = aCapture({ captureId: 'a', prompt: [1], output: [2], timestampMs: 1_000, latencyMs: 100 });
const second = aCapture({
  captureId: 'b',
  prompt: [1, 2, 3],
  output: [4],
  timestampMs: 1_100,
  latencyMs: 50,
});
const third = aCapture({
  captureId: 'c',
  prompt: [1, 2, 3, 4, 5],
  output: [6],
  timestampMs: 1_149,
  latencyMs: 50,
});

function told(captures: Parameters<typeof buildTrajectory>[0]): object {
  const { rows, summary } = buildTrajectory(captures);
  const { answeredTurns, parallelTurns } = summary;
  const turns = Object.fromEntries(
    rows.flatMap((row) => row.turn_spans.map((span) => [span.trace_id, span.turn])),
  );
  return { answeredTurns, parallelTurns, turns };
}

it('counts turns in the order of their calls, however they were stored and whether they train or not', () => {
  expect(told([first, second, third])).toEqual({
    answeredTurns: 3,
    parallelTurns: 0,
    turns: { a: 0, b: 1, c: 2 },
  });
  expect(told([first, third, { ...second, status: 'incomplete' }])).toMatchObject({ turns: { a: 0, c: 2 } });
});

it('does not count what never reached the agent as a whole', () => {
  expect(told([first, { ...second, status: 'partial' }, third])).toEqual({
    answeredTurns: 2,
    parallelTurns: 0,
    turns: { a: 0, c: 1 },
  });
});

it('tells calls that were made while another one was under way, and choices of one call', () => {
  expect(told([first, { ...second, timestampMs: 1_050 }, third])).toMatchObject({ parallelTurns: 1 });
  expect(told([first, { ...first, captureId: 'd', choiceIndex: 1, choiceCount: 2 }])).toMatchObject({
    parallelTurns: 1,
  });
});
