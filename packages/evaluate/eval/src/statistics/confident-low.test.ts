import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { describe, expect, it } from 'vitest';
import { boundedMeanInterval } from './bounded-mean.ts';
import { binaryLow, boundedLow, fewestTasks } from './confident-low.ts';
import { estimateMean } from './estimate-mean.ts';
import { randomSource } from './random-source.ts';

/** Means of tasks, as agents get them. */
const rewards: Record<string, { mean: number; draw: (random: () => number) => number }> = {
  '5 % zeros, else 0.9 to 1': { mean: 0.9025, draw: (next) => (next() < 0.05 ? 0 : 0.9 + 0.1 * next()) },
  '15 % zeros, else 0.7 to 1': { mean: 0.7225, draw: (next) => (next() < 0.15 ? 0 : 0.7 + 0.3 * next()) },
  '1 % zeros, else 1': { mean: 0.99, draw: (next) => Number(next() >= 0.01) },
  '10 % zeros, else 1': { mean: 0.9, draw: (next) => Number(next() >= 0.1) },
  'half zeros, else 1': { mean: 0.5, draw: (next) => Number(next() >= 0.5) },
  '2 % ones, else 0 to 0.1': { mean: 0.069, draw: (next) => (next() < 0.02 ? 1 : 0.1 * next()) },
  '0 to 1, all alike': { mean: 0.5, draw: (next) => next() },
};
const sizes = [5, 10, 20, 40, 60];

/** The share of runs in which a lower end lies above the true mean, and the mean of the lower ends. */
function measured(lowOf: (scores: number[]) => number, name: string, tasks: number, rounds: number) {
  const { mean, draw } = rewards[name]!;
  const random = randomSource(tasks);
  let [above, sum] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const low = lowOf(Array.from({ length: tasks }, () => draw(random)));
    if (low > mean) above += 1;
    sum += low;
  }
  return { above: above / rounds, low: sum / rounds };
}

const oldLow = (scores: number[]): number => estimateMean(scores.map((score) => [score]))!.low;

describe('the lower end of a gate', () => {
  it.each(shortlist(Object.keys(rewards), 1))(
    '%s: lies above the true mean in at most 2.5 % of the runs',
    (name) => {
      for (const tasks of [5, 20, 60])
        // Four standard deviations of 60 runs, at 2.5 %. The table of the page has 4,000.
        expect(measured(boundedLow, name, tasks, 60).above).toBeLessThanOrEqual(0.106);
    },
  );

  it('at every number of tasks at once: who looks after each one is not wrong more often', () => {
    const random = randomSource(3);
    let wrong = 0;
    for (let round = 0; round < 40; round += 1) {
      const seen: number[] = [];
      for (let task = 0; task < 30; task += 1) {
        seen.push(rewards['5 % zeros, else 0.9 to 1']!.draw(random));
        if (boundedLow(seen) > 0.9025) {
          wrong += 1;
          break;
        }
      }
    }
    expect(wrong / 40).toBeLessThanOrEqual(0.124);
  });

  it('of a share is exact: no share below it gives as many passes with 2.5 %', () => {
    // Clopper and Pearson's lower ends, by scipy's beta.ppf(0.025, x, n - x + 1).
    expect(binaryLow([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])).toBeCloseTo(0.025 ** 0.1, 9);
    expect(binaryLow([...Array<number>(9).fill(1), 0])).toBeCloseTo(0.554984, 5);
    expect(binaryLow([0, 0, 0])).toBe(0);
  });

  it('is not above the mean, grows with the tasks, and is the upper end of the mirror image', () => {
    let before = 0;
    for (const tasks of [1, 2, 5, 20, 100, 2_000]) {
      const scores = Array.from({ length: tasks }, (_, at) => (at % 2 ? 0.9 : 0.7));
      const { low, high } = boundedMeanInterval(scores);
      const mirror = boundedMeanInterval(scores.map((score) => 1 - score));
      expect(low).toBeGreaterThan(before);
      expect([low < 0.7 + 1e-9 || tasks > 20, high > 0.8, mirror.low]).toEqual([
        true,
        true,
        expect.closeTo(1 - high, 9),
      ]);
      before = low;
    }
    expect(before).toBeCloseTo(0.8, 1);
    expect(boundedMeanInterval([0, 0, 0])).toMatchObject({ low: 0 });
    expect(boundedMeanInterval([1, 1]).high).toBeCloseTo(1, 9);
  });

  it('says from how many tasks on anything can be shown', () => {
    expect([fewestTasks(binaryLow, 0.9), fewestTasks(boundedLow, 0.9)]).toEqual([36, 43]);
    expect(fewestTasks(boundedLow, 0)).toBe(1);
    expect(fewestTasks(boundedLow, 1)).toBeUndefined();
  });
});

it('the table of the page is what is simulated here', () => {
  const page = join(import.meta.dirname, '../../../../internal/docs/reference/intervals.md');
  const [begin, end] = ['<!-- Table of lower ends. -->\n\n', '\n\n<!-- End of the table. -->'];
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const [table, after] = rest.split(end);
  expect(after).toBeDefined();
  // ART_WRITE=1 npx vitest run src/statistics/confident-low.test.ts, then oxfmt.
  if (process.env['ART_WRITE'] === '1')
    writeFileSync(page, `${before}${begin}${simulatedTable()}${end}${after}`);
  else for (const name of Object.keys(rewards)) expect(table).toContain(`| ${name} `);
});

function simulatedTable(): string {
  const percent = (share: number): string => (share * 100).toFixed(1);
  const rows = Object.keys(rewards).flatMap((name) =>
    (
      [
        ['gate', boundedLow],
        ['interval', oldLow],
      ] as const
    ).map(([what, lowOf]) => [
      name,
      what,
      ...sizes.map((tasks) => {
        const { above, low } = measured(lowOf, name, tasks, 4_000);
        return `${percent(above)} (${low.toFixed(2)})`;
      }),
    ]),
  );
  return [
    ['rewards', 'lower end', ...sizes.map((tasks) => (tasks === 5 ? '5 tasks' : String(tasks)))],
    ['---', '---', ...sizes.map(() => '---:')],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
