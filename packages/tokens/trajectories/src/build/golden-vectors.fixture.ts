import type { ScriptedTurn } from '../testing/scripted-captures.ts';
import type { TrajectoryOptions } from './trajectory-options.ts';

/** Turns and the rows that they have to give: `tokens | mask of the response`. */
export interface GoldenVector {
  name: string;
  turns: readonly ScriptedTurn[];
  options?: TrajectoryOptions;
  rows: readonly string[];
}

const first: ScriptedTurn = { prompt: [1, 2], output: [3, 4] };
const answered = ['q0', 'a0', 'q1'];

/** Rows that the Python toolkit's trajectory manager gives for the same turns, measured. */
export const referenceVectors: readonly GoldenVector[] = [
  {
    name: 'clean continuation',
    turns: [first, { prompt: [1, 2, 3, 4, 5], output: [6] }],
    rows: ['1 2 3 4 5 6 | 1 1 0 1'],
  },
  {
    name: 'answer spelled anew',
    turns: [first, { prompt: [1, 2, 3, 9, 5], output: [6] }],
    rows: ['1 2 3 9 5 6 | 0 0 0 1'],
  },
  {
    name: 'thinking stripped',
    turns: [
      { prompt: [1, 2], output: [3, 4, 7, 8] },
      { prompt: [1, 2, 8, 5], output: [6] },
    ],
    rows: ['1 2 8 5 6 | 0 0 1'],
  },
  {
    name: 'answer spelled anew, next answer not below the threshold',
    turns: [first, { prompt: [1, 2, 3, 9, 5], output: [6, 7] }],
    options: { forkThresholdTokens: 2 },
    rows: ['1 2 3 4 | 1 1', '1 2 3 9 5 6 7 | 1 1'],
  },
  {
    name: 'drift inside the first prompt',
    turns: [first, { prompt: [1, 8, 3, 4, 5], output: [6] }],
    rows: ['1 2 3 4 | 1 1', '1 8 3 4 5 6 | 1'],
  },
  {
    name: 'two continuations',
    turns: [
      first,
      { prompt: [1, 2, 3, 4, 5], output: [6], said: answered },
      { prompt: [1, 2, 3, 4, 9], output: [7], said: ['q0', 'a0', 'other'] },
    ],
    rows: ['1 2 3 4 5 6 | 1 1 0 1', '1 2 3 4 9 7 | 0 0 0 1'],
  },
  {
    name: 'answer rewritten by the agent',
    turns: [
      { ...first, reply: 'x' },
      { prompt: [1, 2, 3, 4, 5], output: [6], said: ['q0', 'x ', 'q1'] },
    ],
    rows: ['1 2 3 4 5 6 | 1'],
  },
  {
    name: 'answer rewritten by the agent, merging switched off',
    turns: [
      { ...first, reply: 'x' },
      { prompt: [1, 2, 3, 4, 5], output: [6], said: ['q0', 'x ', 'q1'] },
    ],
    options: { forkThresholdTokens: 0 },
    rows: ['1 2 3 4 | 1 1', '1 2 3 4 5 6 | 1'],
  },
  {
    name: 'answer rewritten by the agent that is not below the threshold',
    turns: [
      { ...first, reply: 'x' },
      { prompt: [1, 2, 3, 4, 5], output: [6], said: ['q0', 'x ', 'q1'] },
    ],
    options: { forkThresholdTokens: 2 },
    rows: ['1 2 3 4 | 1 1', '1 2 3 4 5 6 | 1'],
  },
  {
    name: 'the same request again, answered otherwise',
    turns: [first, { prompt: [1, 2], output: [3, 5], said: ['q0'], reply: 'other' }],
    rows: ['1 2 3 4 | 1 1', '1 2 3 5 | 1 1'],
  },
  {
    name: 'the same text twice in other tokens, then a continuation',
    turns: [
      first,
      { prompt: [1, 2], output: [3, 5], said: ['q0'], reply: 'a0' },
      { prompt: [1, 2, 3, 5, 6], output: [7], said: answered },
    ],
    rows: ['1 2 3 5 6 7 | 0 0 0 1', '1 2 3 5 | 1 1'],
  },
  {
    name: 'drift inside an earlier answer',
    turns: [first, { prompt: [1, 2, 3, 4, 5], output: [6] }, { prompt: [1, 2, 3, 9, 5, 6, 7], output: [8] }],
    rows: ['1 2 3 4 5 6 | 1 1 0 1', '1 2 3 9 5 6 7 8 | 1'],
  },
  { name: 'empty answer', turns: [{ prompt: [1, 2], output: [] }], rows: [] },
];

/** The same turns by tokens: what was seen is kept as it was seen, and nothing that was sampled is lost. */
export const exactVectors: readonly GoldenVector[] = [
  {
    name: 'clean continuation',
    turns: [first, { prompt: [1, 2, 3, 4, 5], output: [6] }],
    rows: ['1 2 3 4 5 6 | 1 1 0 1'],
  },
  {
    name: 'answer spelled anew: both answers train',
    turns: [first, { prompt: [1, 2, 3, 9, 5], output: [6] }],
    rows: ['1 2 3 4 | 1 1', '1 2 3 9 5 6 | 1'],
  },
  {
    name: 'thinking stripped: the thinking trains',
    turns: [
      { prompt: [1, 2], output: [3, 4, 7, 8] },
      { prompt: [1, 2, 8, 5], output: [6] },
    ],
    rows: ['1 2 3 4 7 8 | 1 1 1 1', '1 2 8 5 6 | 1'],
  },
  {
    name: 'drift inside the first prompt',
    turns: [first, { prompt: [1, 8, 3, 4, 5], output: [6] }],
    rows: ['1 2 3 4 | 1 1', '1 8 3 4 5 6 | 1'],
  },
  {
    name: 'two continuations',
    turns: [
      first,
      { prompt: [1, 2, 3, 4, 5], output: [6], said: answered },
      { prompt: [1, 2, 3, 4, 9], output: [7], said: ['q0', 'a0', 'other'] },
    ],
    rows: ['1 2 3 4 5 6 | 1 1 0 1', '1 2 3 4 9 7 | 0 0 0 1'],
  },
  {
    name: 'answer rewritten in text only: its tokens went on',
    turns: [
      { ...first, reply: 'x' },
      { prompt: [1, 2, 3, 4, 5], output: [6], said: ['q0', 'x ', 'q1'] },
    ],
    rows: ['1 2 3 4 5 6 | 1 1 0 1'],
  },
  {
    name: 'the same request again, neither answer gone on from',
    turns: [first, { prompt: [1, 2], output: [3, 5], said: ['q0'], reply: 'other' }],
    rows: ['1 2 3 4 | 1 1', '1 2 3 5 | 1 1'],
  },
  {
    name: 'the same text twice: the answer that was gone on from trains, the abandoned one does not',
    turns: [
      first,
      { prompt: [1, 2], output: [3, 5], said: ['q0'], reply: 'a0' },
      { prompt: [1, 2, 3, 5, 6], output: [7], said: answered },
    ],
    rows: ['1 2 3 5 6 7 | 1 1 0 1'],
  },
  {
    name: 'an answer that was gone on from by its text is not abandoned',
    turns: [
      { prompt: [1, 2], output: [3, 5], reply: 'lost' },
      { ...first, said: ['q0'], reply: 'a0' },
      { prompt: [1, 2, 3, 9, 6], output: [7], said: answered },
    ],
    rows: ['1 2 3 4 | 1 1', '1 2 3 9 6 7 | 1'],
  },
  {
    name: 'the very same answer twice: the later one went on',
    turns: [
      first,
      { ...first, said: ['q0'], reply: 'a0' },
      { prompt: [1, 2, 3, 4, 5], output: [6], said: answered },
    ],
    rows: ['1 2 3 4 5 6 | 1 1 0 1'],
  },
  {
    name: 'drift inside an earlier answer',
    turns: [first, { prompt: [1, 2, 3, 4, 5], output: [6] }, { prompt: [1, 2, 3, 9, 5, 6, 7], output: [8] }],
    rows: ['1 2 3 4 5 6 | 1 1 0 1', '1 2 3 9 5 6 7 8 | 1'],
  },
  {
    name: 'a sub-agent between two turns: the last row is the one that ends last',
    turns: [
      first,
      { prompt: [50, 51], output: [52], said: ['sub'], reply: 'done' },
      { prompt: [1, 2, 3, 4, 5], output: [6], said: answered },
    ],
    rows: ['50 51 52 | 1', '1 2 3 4 5 6 | 1 1 0 1'],
  },
  { name: 'empty answer', turns: [{ prompt: [1, 2], output: [] }], rows: [] },
  {
    name: 'too long: cut inside an answer',
    turns: [first, { prompt: [1, 2, 3, 4, 5], output: [6, 7] }],
    options: { maxSampleTokens: 6 },
    rows: ['1 2 3 4 5 6 | 1 1 0 1'],
  },
  {
    name: 'too long: cut inside the prompt leaves no row',
    turns: [{ prompt: [1, 2, 3], output: [4] }],
    options: { maxSampleTokens: 2 },
    rows: [],
  },
];
