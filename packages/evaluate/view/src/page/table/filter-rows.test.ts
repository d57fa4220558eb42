import { describe, expect, it } from 'vitest';
import type { AttemptBar } from '../../report/sample-row.ts';
import { sampleRow } from '../../testing/sample-row.fixture.ts';
import { filterRows, toggledTerm } from './filter-rows.ts';

const rows = [
  sampleRow({ at: 0, taskId: 'refund-1', score: 1, tags: ['easy', 'two words'], latencyMs: 900 }),
  sampleRow({
    at: 1,
    taskId: 'refund-2',
    score: 0.25,
    latencyMs: 61_000,
    outcome: 'timeout',
    problem: 'No Result',
  }),
  sampleRow({ at: 2, taskId: 'rebook-1', score: null, reward: null, latencyMs: null }),
  sampleRow({ at: 3, taskId: 'a=b', outcome: 'lost', attempts: [attempt(2), attempt(0)] }),
];

function attempt(throttled: number): AttemptBar {
  return { outcome: 'lost', submittedAtMs: 0, settledMs: 1, throttled, resent: 0 };
}

const found = (query: string): number[] => filterRows(rows, query, 60_000).map(({ at }) => at);

describe('filterRows', () => {
  it.each([
    ['', [0, 1, 2, 3]],
    ['refund', [0, 1]],
    ['REFUND no result', [1]],
    ['-refund', [2, 3]],
    ['refund-1#0', [0]],
    ['score<0.5', [1]],
    ['score<=1 latency<1s', [0, 3]],
    ['latency>1min', [1]],
    ['attempts=2', [3]],
    ['tag:easy', [0]],
    ['"tag:two words"', [0]],
    ['task:rebook-1', [2]],
    ['outcome:timeout outcome:lost', [1, 3]],
    ['outcome:timeout -is:failed', []],
    ['is:failed', [1, 3]],
    ['is:straggler', [1]],
    ['is:retried is:throttled', [3]],
    ['is:unjudged', [2]],
    ['is:nothing', []],
    ['a=b', [3]],
    ['constructor<1', []],
  ])('%s finds %j', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it('finds the samples that a check is about', () => {
    const findings = new Map([['cut_off', new Set([1, 3])]]);
    const of = (query: string) => filterRows(rows, query, undefined, new Map(), findings).map(({ at }) => at);
    expect(of('finding:cut_off')).toEqual([1, 3]);
    expect(of('finding:cut_off refund')).toEqual([1]);
    expect(of('-finding:cut_off')).toEqual([0, 2]);
    expect(of('finding:no_model_calls')).toEqual([]);
  });

  it('compares figures as they are meant, not as they round', () => {
    const rounded = [sampleRow({ at: 0, score: 0.1 + 0.2 }), sampleRow({ at: 1, score: 0.6 + 0.3 + 0.1 })];
    const of = (query: string) => filterRows(rounded, query, undefined).map(({ at }) => at);
    expect([of('score=0.3'), of('score>0.3'), of('score<=0.3')]).toEqual([[0], [1], [0]]);
    expect([of('score>=1'), of('score<1')]).toEqual([[1], [0]]);
  });

  it('reads the smallest slips as text, and never throws', () => {
    for (const query of ['"', '-', 'score<', 'score<x', 'tag:', ':', '((', '\\', '__proto__:1']) found(query);
    expect(found('score<x')).toEqual([]);
  });
});

it('a term is taken in and out again, quoted where it has a space', () => {
  expect(toggledTerm('refund', 'tag:two words')).toBe('refund "tag:two words"');
  expect(toggledTerm('refund "tag:two words"', 'tag:two words')).toBe('refund');
});
