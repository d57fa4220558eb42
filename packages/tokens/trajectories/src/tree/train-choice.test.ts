import { describe, expect, it } from 'vitest';
import { buildTrajectory } from '../build/build-trajectory.ts';
import { aCapture } from '../testing/scripted-captures.ts';
import type { Capture } from '../captures/capture.ts';
import { aTrainChoice, type TrainChoice } from './train-choice.ts';

const said = (...contents: string[]): object[] =>
  contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));

const planner = { model: 'big', metadata: { label: 'planner' } };
const critic = { model: 'small', metadata: { label: 'critic' } };
/** A planner of two turns, a critic of one between them, and one call that says nothing of itself. */
const session: Capture[] = [
  aCapture({
    ...planner,
    captureId: 'p0',
    timestampMs: 0,
    prompt: [1, 2],
    output: [3, 4],
    messages: said('q0'),
    response: { role: 'assistant', content: 'a0' },
  }),
  aCapture({
    ...critic,
    captureId: 'c0',
    timestampMs: 1,
    prompt: [50],
    output: [51],
    messages: said('is it?'),
  }),
  aCapture({
    ...planner,
    captureId: 'p1',
    timestampMs: 2,
    prompt: [1, 2, 3, 4, 5],
    output: [6],
    messages: said('q0', 'a0', 'q1'),
  }),
  aCapture({
    model: 'big',
    captureId: 'x0',
    timestampMs: 3,
    prompt: [70],
    output: [71],
    messages: said('title'),
  }),
];
const trained = (
  trains: TrainChoice | undefined,
  captures = session,
  mode: 'exact' | 'reference' = 'exact',
) =>
  buildTrajectory(captures, { trains, mode })
    .rows.flatMap((row) => row.turn_spans.map((span) => span.trace_id))
    .toSorted();

describe.each(['exact', 'reference'] as const)('which agents train, %s', (mode) => {
  it.each<[string, TrainChoice | undefined, string[]]>([
    ['all', undefined, ['c0', 'p0', 'p1', 'x0']],
    ['a model', { models: ['big'] }, ['p0', 'p1', 'x0']],
    ['a label', { labels: ['critic'] }, ['c0']],
    ['any of several labels', { labels: ['critic', 'planner'] }, ['c0', 'p0', 'p1']],
    ['the first conversation', { lineage: 'first' }, ['p0', 'p1']],
    ['what fits all that is given', { models: ['big'], labels: ['critic', 'planner'] }, ['p0', 'p1']],
    ['nothing, for a label that is misspelt', { labels: ['plnaner'] }, []],
  ])('%s', (_, trains, expected) => {
    expect(trained(trains, session, mode)).toEqual(expected);
  });

  it('says of every other turn why it does not train, and how many they are', () => {
    const { rows, summary } = buildTrajectory(session, {
      mode,
      trains: { labels: ['critic'], models: ['small'] },
    });
    expect(summary).toMatchObject({ turns: 4, notChosenTurns: 3, trainedTokens: 1 });
    expect(summary.masked).toEqual([
      { captureId: 'p0', reason: 'not_chosen', problems: ['model "big", not "small"'] },
      { captureId: 'p1', reason: 'not_chosen', problems: ['model "big", not "small"'] },
      { captureId: 'x0', reason: 'not_chosen', problems: ['model "big", not "small"'] },
    ]);
    expect(rows[0]?.metadata['masked_turns']).toHaveLength(3);
    const none = buildTrajectory(session, { mode, trains: { labels: ['critc'] } });
    expect(none).toMatchObject({ rows: [], summary: { notChosenTurns: 4, trainedTokens: 0 } });
    expect(none.summary.masked.map(({ problems }) => problems[0])).toEqual([
      'label "planner", not "critc"',
      'label "critic", not "critc"',
      'label "planner", not "critc"',
      'no label, not "critc"',
    ]);
  });
});

describe('the first conversation', () => {
  const first = session[0]!;
  it.each<[string, Capture]>([
    [
      'drifted',
      aCapture({
        captureId: 'd',
        timestampMs: 5,
        prompt: [1, 2, 9, 5],
        output: [6],
        messages: said('q0', 'a0', 'q1'),
      }),
    ],
    [
      'rewritten by the agent',
      aCapture({
        captureId: 'd',
        timestampMs: 5,
        prompt: [8, 9],
        output: [6],
        messages: said('q0', 'other', 'q1'),
      }),
    ],
    [
      'asked again',
      aCapture({ captureId: 'd', timestampMs: 5, prompt: [1, 2], output: [7], messages: said('q0') }),
    ],
    [
      'known by its tokens alone',
      aCapture({ captureId: 'd', timestampMs: 5, prompt: [1, 2, 7], output: [7], messages: [] }),
    ],
  ])('has a turn that is %s', (_, turn) => {
    expect(trained({ lineage: 'first' }, [first, turn])).toContain('d');
  });

  it('is that of the call that came first, whichever was answered first', () => {
    const late = { ...session[1]!, timestampMs: 9 };
    expect(trained({ lineage: 'first' }, [late, first])).toEqual(['p0']);
  });

  it('is one call where nothing is known of prompts', () => {
    const bare = (captureId: string, timestampMs: number): Capture =>
      aCapture({ captureId, timestampMs, prompt: [], output: [1], messages: [] });
    const { summary } = buildTrajectory([bare('a', 0), bare('b', 1)], { trains: { lineage: 'first' } });
    expect(summary.masked.map(({ captureId }) => captureId)).toEqual(['b']);
  });
});

it('asks nothing else of a turn that is not chosen', () => {
  const foreign: Capture = { ...session[1]!, status: 'text_only', completionTokenIds: new Int32Array() };
  const { masked } = buildTrajectory([session[0]!, foreign], { trains: { models: ['big'] } }).summary;
  expect(masked).toMatchObject([{ captureId: 'c0', reason: 'not_chosen' }]);
});

it.each<[unknown, string]>([
  [{}, '`trains` to be an object with `models`, `labels` or `lineage`'],
  [{ label: ['a'] }, '"label". Did you mean labels?'],
  [{ labels: [] }, '`trains.labels` to be a list of at least one'],
  [{ labels: 'critic' }, '`trains.labels` to be a list of at least one'],
  [{ labels: ['a b'] }, '`trains.labels[0]` to be a label of 1 to 64'],
  [{ models: ['big', ''] }, '`trains.models[1]` to be a non-empty string'],
  [{ lineage: 'last' }, "`trains.lineage` to be 'first'"],
  [['critic'], '`trains` to be an object'],
])('refuses %j', (given, words) => {
  expect(() => aTrainChoice(given, 'trains')).toThrow(
    expect.objectContaining({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(words) as string,
    }) as Error,
  );
  expect(() => buildTrajectory(session, { trains: given as TrainChoice })).toThrow(words);
});
