import { describe, expect, it } from 'vitest';
import type { LearningStep } from '../learn.ts';
import { closingWords } from './closing-words.ts';
import { formatStep } from './format-step.ts';
import { learningCurve } from './learning-curve.ts';
import { stepRecord, type StepRecord, trendOf } from './step-record.ts';
import { terminalPlot } from './terminal-plot.ts';

/** The records of a run whose steps had these rewards. */
function recordsOf(rewards: readonly number[], without = 0, logprobGap = 3e-7): StepRecord[] {
  const records: StepRecord[] = [];
  for (const [index, reward] of rewards.entries()) {
    const step: LearningStep = {
      step: index + 1,
      reward,
      rollouts: 128 - without,
      withoutRows: without,
      rows: 140,
      update: { loss: -0.1, logprobGap, trainedTokens: 900 },
      rolloutMs: 1_234,
      updateMs: 250,
    };
    records.push(stepRecord(step, { run: 'exact', seed: 0, before: records }));
  }
  return records;
}

const climb = Array.from({ length: 20 }, (_, index) => index / 20);

describe('stepRecord', () => {
  it('has the mean of ten steps from the tenth on', () => {
    const means = recordsOf(climb).map(({ meanOfTen }) => meanOfTen);
    expect(means.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => undefined));
    expect(means[9]).toBeCloseTo(0.225);
    expect(means[19]).toBeCloseTo(0.725);
  });
});

describe('trendOf', () => {
  it('has no jump at the tenth step: it is the mean of as many as there are, and then of ten', () => {
    expect(trendOf(recordsOf([1, 0, 0.5]))).toEqual([1, 0.5, 0.5]);
    expect(trendOf(recordsOf([1, ...Array.from({ length: 10 }, () => 0)])).slice(8)).toEqual([1 / 9, 0.1, 0]);
  });
});

describe('formatStep', () => {
  it('is one line, and tells of rollouts that were lost', () => {
    const line = formatStep(recordsOf(climb, 3)[19]!);
    expect(line).toBe(
      'step  20   reward 0.950   mean of ten 0.725   rows 140   rollouts 1.23 s, update 0.25 s  3 rollouts without rows',
    );
    expect(formatStep(recordsOf([0.5])[0]!)).toMatch(/mean of ten {9}rows 140 .* update 0\.25 s$/);
  });
});

describe('terminalPlot', () => {
  it('draws the first step at the left, the last at the right, 0 at the bottom and 1 at the top', () => {
    const plot = terminalPlot(new Map([['it', recordsOf([0, ...Array.from({ length: 29 }, () => 1)])]]));
    const lines = plot.split('\n');
    expect(lines.find((line) => line.startsWith('  1.00'))).toMatch(/^ {2}1\.00 ┤ {10}●{20}$/);
    expect(lines.find((line) => line.startsWith('  0.00'))).toBe('  0.00 ┤●');
    expect(plot).toContain('● it');
  });

  it('fits many steps into a terminal, and one', () => {
    const wide = terminalPlot(new Map([['long', recordsOf(Array.from({ length: 1_000 }, () => 0.5))]]));
    expect(Math.max(...wide.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(wide).toMatch(/0\.50 ┤●{64}$/m);
    expect(terminalPlot(new Map([['short', recordsOf([0.5])]]))).toMatch(/0\.50 ┤●$/m);
  });

  it('has a mark for each run', () => {
    const plot = terminalPlot(
      new Map([
        ['a', recordsOf([1, 1])],
        ['b', recordsOf([0, 0])],
      ]),
    );
    expect(plot).toMatch(/1\.00 ┤●●\n/);
    expect(plot).toMatch(/0\.00 ┤○○\n/);
    expect(plot).toContain('● a   ○ b');
  });
});

describe('learningCurve', () => {
  it('is an SVG document with a line for each run', () => {
    const svg = learningCurve(
      'It learns',
      new Map([
        ['a', recordsOf(climb)],
        ['b', recordsOf([0])],
      ]),
    );
    expect(svg).toMatch(/^<svg /);
    expect(svg.match(/<polyline/g)).toHaveLength(2);
  });
});

describe('closingWords', () => {
  it('say when it had learnt, and what of it', () => {
    const words = closingWords('exact', recordsOf([...climb, ...Array.from({ length: 12 }, () => 1)]));
    expect(words).toContain(
      'reward 0.000 at the start, over 0.9 (mean of ten) after 25 steps, 1.000 at the end',
    );
    expect(words).toContain('4096 rollouts, every one became rows');
    expect(words).toContain('3.0e-7');
  });

  it('tell when engine and trainer do not have the same weights, although it learns', () => {
    const words = closingWords(
      'exact',
      recordsOf(
        Array.from({ length: 12 }, () => 1),
        0,
        0.14,
      ),
    );
    expect(words).toContain('over 0.9');
    expect(words).toContain('differ by 1.4e-1');
    expect(words).toContain('something between engine and trainer is wrong');
  });

  it('claim nothing that did not happen', () => {
    const words = closingWords('exact', recordsOf(climb, 2));
    expect(words).toContain('never over 0.9 in 20 steps; the best mean of ten was 0.725');
    expect(words).toContain('all but 40 became rows');
    expect(words).not.toContain('was trained on the very tokens');
    expect(closingWords('shift-logprobs', recordsOf(climb))).toContain('do not teach');
    expect(closingWords('exact', [])).toContain('no step was made');
  });
});
