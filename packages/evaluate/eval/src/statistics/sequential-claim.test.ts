import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomSource } from './random-source.ts';
import { type ClaimAnswer, SequentialClaim } from './sequential-claim.ts';
import { fixedPlan } from './simulation.fixture.ts';

type Draw = (random: () => number) => number;

const binary =
  (gained: number, lost: number): Draw =>
  (random) => {
    const at = random();
    return at < gained ? 1 : at < gained + lost ? -1 : 0;
  };

/** Two runs of skewed rewards. */
const skewed =
  (gain: number): Draw =>
  (random) => {
    const reward = (failing: number): number => (random() < failing ? 0 : 0.7 + 0.3 * random());
    return reward(0.3 - gain) - reward(0.3);
  };

/** Four samples of tasks that differ. */
const clustered =
  (gain: number): Draw =>
  (random) => {
    const share = random() * (1 - gain);
    const mean = (of: number): number => [1, 2, 3, 4].reduce((sum) => sum + Number(random() < of), 0) / 4;
    return mean(share + gain) - mean(share);
  };

const same: Record<string, Draw> = {
  'binary, 10 % gained, 10 % lost': binary(0.1, 0.1),
  'binary, 2 % gained, 2 % lost': binary(0.02, 0.02),
  'skewed, 30 % zeros': skewed(0),
  'four samples of unlike tasks': clustered(0),
};
const better: Record<string, Draw> = {
  'binary, 20 % gained, 5 % lost': binary(0.2, 0.05),
  'skewed, 30 to 15 % zeros': skewed(0.15),
  'four samples of unlike tasks, + 0.12': clustered(0.12),
};

interface Outcome {
  answer: ClaimAnswer | 'ceiling';
  tasks: number;
}

/** "The difference is above 0", asked after every task. */
function asked(draw: Draw, most: number, random: () => number): Outcome {
  const claim = new SequentialClaim(0.5, most);
  for (let tasks = 1; tasks <= most; tasks += 1) {
    const answer = claim.add((draw(random) + 1) / 2);
    if (answer !== undefined) return { answer, tasks };
  }
  return { answer: 'ceiling', tasks: most };
}

function simulated(draw: Draw, most: number, rounds: number): { yes: number; no: number; tasks: number } {
  const random = randomSource(most);
  const seen = { yes: 0, no: 0, tasks: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { answer, tasks } = asked(draw, most, random);
    if (answer === 'yes' || answer === 'no') seen[answer] += 1 / rounds;
    seen.tasks += tasks / rounds;
  }
  return seen;
}

describe('a claim that is looked at after every task', () => {
  it.each(Object.keys(same))('%s: is wrong in at most 5 % of the comparisons', (name) => {
    for (const most of [5, 20, 60, 200]) {
      const { yes, no } = simulated(same[name]!, most, 250);
      // Four standard deviations of 250 comparisons at 5 %.
      expect(Math.max(yes, no)).toBeLessThanOrEqual(0.106);
    }
  });

  it('is not wrong at any reward, near either end', () => {
    const random = randomSource(5);
    for (const share of [0.02, 0.5, 0.98]) {
      let wrong = 0;
      for (let round = 0; round < 200; round += 1) {
        const claim = new SequentialClaim(share, undefined);
        for (let task = 0; task < 150; task += 1) {
          const answer = claim.add(Number(random() < share));
          if (answer !== 'yes') continue;
          wrong += 1;
          break;
        }
      }
      expect(wrong / 200).toBeLessThanOrEqual(0.112);
    }
  });

  it('answers the ends of the range', () => {
    const nothing = new SequentialClaim(0, 100);
    expect(nothing.add(0)).toBeUndefined();
    expect(nothing.add(0.001)).toBe('yes');
    const all = new SequentialClaim(1, 100);
    expect(all.add(1)).toBeUndefined();
    expect(all.add(0.9)).toBe('no');
  });
});

it('the table of the page is what is simulated here', { timeout: 3_600_000 }, () => {
  const page = join(import.meta.dirname, '../../../../internal/docs/reference/intervals.md');
  const [begin, end] = ['<!-- Table of goals. -->\n\n', '\n\n<!-- End of the goals. -->'];
  const [before, rest = ''] = readFileSync(page, 'utf8').split(begin);
  const [table, after] = rest.split(end);
  expect(after).toBeDefined();
  if (process.env['ART_WRITE'] === '1')
    writeFileSync(page, `${before}${begin}${simulatedTable()}${end}${after}`);
  else
    for (const name of [...Object.keys(same), ...Object.keys(better)]) expect(table).toContain(`| ${name} `);
});

function simulatedTable(): string {
  const percent = (share: number): string => (share * 100).toFixed(1);
  const rows = [
    ...Object.entries(same).map(([name, draw]) => [name, draw, false] as const),
    ...Object.entries(better).map(([name, draw]) => [name, draw, true] as const),
  ].flatMap(([name, draw, isBetter]) =>
    [60, 200, 400].map((most) => {
      const { yes, no, tasks } = simulated(draw, most, 10_000);
      const fixed = isBetter
        ? fixedPlan((random) => ({ first: [0], second: [draw(random)] }), yes, 400)
        : undefined;
      const fewer = fixed === undefined ? '' : `${fixed} (${Math.round((1 - tasks / fixed) * 100)} %)`;
      return [name, String(most), percent(yes), percent(no), tasks.toFixed(0), fewer];
    }),
  );
  return [
    [
      'difference of two runs',
      'most tasks',
      '"better", %',
      '"worse", %',
      'tasks asked',
      'fixed plan (fewer)',
    ],
    ['---', '---:', '---:', '---:', '---:', '---:'],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
