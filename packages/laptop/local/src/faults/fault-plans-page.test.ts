import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkFaultPlan } from './plan/check-fault-plan.ts';
import { faultOperations } from './plan/fault-target.ts';
import { faultsByOperation } from './plan/fault.ts';

const page = readFileSync(
  join(import.meta.dirname, '../../../../internal/docs/reference/fault-plans.md'),
  'utf8',
);

it('shows a plan that works', () => {
  const shown = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(checkFaultPlan(JSON.parse(shown))).toMatchObject({ seed: 7 });
});

it.each(faultOperations)('names every fault that %s can meet, and no other', (operation) => {
  const row = page
    .split('\n')
    .find((line) => line.startsWith('| `') && line.split('|')[1]!.includes(`\`${operation}\``));
  const named = [...(row?.split('|')[3] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1]!);
  expect(named.filter((name) => name !== 'before').toSorted()).toEqual(
    faultsByOperation[operation].toSorted(),
  );
});

it.each([...new Set(Object.values(faultsByOperation).flat())])('describes %s', (kind) => {
  expect(page).toMatch(new RegExp(`^\\| \`${kind}\` +\\|`, 'm'));
});
