import { formatCost, type RunPlan } from '@art/eval';
import { formatTable, right } from '../terminal/format-table.ts';

/** How large a run has to be, and what that rests on. */
export function formatPlan({ figure, bound, from, cases, rows, available }: RunPlan): string {
  const titles = ['samples a task', ...cases.map(({ name }) => name), 'samples', 'tokens', 'cost'];
  const table = formatTable(
    titles.map(right),
    rows.map(({ samples, tasks, tokens, cost }) => [
      ...[samples, ...tasks, samples * tasks.at(-1)!].map(String),
      tokens === null ? 'not known' : String(Math.round(tokens)),
      cost === null ? 'not known' : formatCost(cost),
    ]),
  );
  const spreads = cases.map(
    ({ name, between, within }) => `${name} deviate by ${root(between)}, samples of one by ${root(within)}`,
  );
  const enough = rows.find(({ tasks }) => tasks.at(-1)! <= (available ?? 0));
  return [
    figure === 'width'
      ? `For a mean whose 95 % interval is about ${bound} wide:\n`
      : `For a difference of ${bound} that shows with a chance of 80 %:\n`,
    table,
    from.length === 0
      ? 'It rests on no run: this is the worst case, where rewards lie at both ends of their range and a second sample says nothing more. --plan-from DIR takes an earlier run.'
      : `It rests on ${from.join(' and ')}: ${spreads.join('; ')}.`,
    ...(cases.length > 1
      ? ['Alike: both agents find the same tasks hard. Unlike: they have nothing in common.']
      : []),
    ...(available === null
      ? []
      : [
          `There are ${available} tasks: ${enough === undefined ? 'too few' : `enough with ${enough.samples} of each`}.`,
        ]),
    '',
  ].join('\n');
}

function root(variance: number): string {
  return Math.sqrt(variance).toFixed(3);
}
