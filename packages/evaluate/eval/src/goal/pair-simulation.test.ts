import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { fixedPlan } from '../statistics/simulation.fixture.ts';
import { alike, alikeOf, drawnPair, gained, simulatePairs } from './pair-simulation.fixture.ts';

it.each(shortlist(Object.keys(alike), 1))(
  '%s: two agents that are alike are told apart in at most 5 %',
  async (name) => {
    for (const most of [5, 20, 60, 200]) {
      const { decided, refuted } = await simulatePairs(alike[name]!, {
        most,
        sessions: 4,
        rounds: 150,
        seed: most,
      });
      // Four standard deviations of 150 comparisons at 5 %.
      expect(Math.max(decided, refuted)).toBeLessThanOrEqual(0.122);
    }
  },
);

it('asks fewer tasks than the fixed plan of the same power, those under way included', async () => {
  const size = { most: 200, sessions: 1, rounds: 150, seed: 1 };
  const name = 'clustered, + 0.25';
  const [better, same] = [await simulatePairs(gained[name]!, size), await simulatePairs(alikeOf(name), size)];
  const fixed = fixedPlan(drawnPair(gained[name]!), Math.min(0.99, better.decided), 100);
  expect(better.decided).toBeGreaterThan(0.9);
  expect((better.asked + same.asked) / 2).toBeLessThan(fixed * 1.2);
});

const page = join(import.meta.dirname, '../../../../internal/docs/reference/intervals.md');
const [begin, end] = ['<!-- Table of pairs. -->\n\n', '\n\n<!-- End of the pairs. -->'];

it('the table of the page is what is simulated here', { timeout: 3_600_000 }, async () => {
  const [before, rest = ''] = readFileSync(page, 'utf8').split(begin);
  const [table, after] = rest.split(end);
  expect(after).toBeDefined();
  if (process.env['ART_WRITE'] === '1')
    writeFileSync(page, `${before}${begin}${await simulatedTable()}${end}${after}`);
  else
    for (const name of [...Object.keys(alike), ...Object.keys(gained)]) expect(table).toContain(`| ${name} `);
});

async function simulatedTable(): Promise<string> {
  const percent = (share: number): string => (share * 100).toFixed(1);
  const rows: string[][] = [];
  for (const [name, scenario] of [...Object.entries(alike), ...Object.entries(gained)])
    for (const most of name in alike ? [5, 20, 60, 200] : [60, 200]) {
      const size = { most, sessions: 2, rounds: 10_000, seed: most };
      const seen = await simulatePairs(scenario, size);
      const texts = [name, String(most), percent(seen.decided), percent(seen.refuted), seen.asked.toFixed(0)];
      if (name in alike) rows.push([...texts, '', '']);
      else {
        const fixed = fixedPlan(drawnPair(scenario), Math.min(0.999, seen.decided), 1_000);
        const same = await simulatePairs(alikeOf(name), { ...size, rounds: 2_000 });
        const fewer = (asked: number): string => `${Math.round((1 - asked / fixed) * 100)} %`;
        rows.push([...texts, `${fixed} (${fewer(seen.asked)})`, fewer((seen.asked + same.asked) / 2)]);
      }
    }
  const titles = ['two agents', 'most tasks', '"better", %', '"worse", %', 'tasks asked'];
  return [
    [...titles, 'fixed plan (fewer)', 'fewer, half of them alike'],
    ['---', ...Array<string>(6).fill('---:')],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
