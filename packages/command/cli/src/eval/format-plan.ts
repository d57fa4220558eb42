import { formatCost, type RunPlan } from '@art/eval';
import { formatTable } from '../terminal/format-table.ts';

/** How large a run has to be, and what that rests on. */
export function formatPlan({ figure, bound, from, cases, rows, available }: RunPlan): string {
  const right = 'right' as const;
  const table = formatTable(
    [
      { title: 'samples a task', align: right },
      ...cases.map(({ name }) => ({ title: name === 'worst case' ? 'tasks' : name, align: right })),
      { title: 'samples', align: right },
      { title: 'tokens', align: right },
      { title: 'cost', align: right },
    ],
    rows.map(({ samples, tasks, tokens, cost }) => [
      String(samples),
      ...tasks.map(String),
      String(samples * tasks.at(-1)!),
      tokens === null ? 'not known' : String(Math.round(tokens)),
      cost === null ? 'not known' : formatCost(cost),
    ]),
  );
  const wanted =
    figure === 'width'
      ? `For a mean whose 95 % interval is about ${bound} wide:`
      : `For a difference of ${bound} that shows with a chance of 80 %:`;
  const spread = (variance: number): string => Math.sqrt(variance).toFixed(3);
  const rests =
    from.length === 0
      ? 'It rests on no run: this is the worst case, rewards at both ends of their range and no more said by a second sample. --plan-from DIR takes an earlier run.'
      : `It rests on ${from.join(' and ')}: ${cases.map(({ name, between, within }) => `${name} deviate by ${spread(between)}, samples of one by ${spread(within)}`).join('; ')}.`;
  const alike =
    cases.length > 1
      ? [`Alike: both agents find the same tasks hard. Unlike: they have nothing in common.`]
      : [];
  const enough = rows.find(({ tasks }) => tasks.at(-1)! <= (available ?? 0));
  const there =
    available === null
      ? []
      : [
          enough === undefined
            ? `There are ${available} tasks, which are too few.`
            : `There are ${available} tasks: ${enough.samples} ${enough.samples === 1 ? 'sample' : 'samples'} of each ${enough.samples === 1 ? 'is' : 'are'} enough.`,
        ];
  return `${[wanted, '', table, rests, ...alike, ...there].join('\n')}\n`;
}
