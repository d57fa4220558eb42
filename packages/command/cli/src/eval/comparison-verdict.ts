import { type Comparison, figure, goalText, markdownCell, markdownTable } from '@art/eval';
import { isAtLeast } from '@art/ground/figures';
import { firstRows } from '../terminal/first-rows.ts';
import { signed } from './format-difference.ts';

/** A comparison in a sentence, and against the largest drop that is allowed. */
export interface ComparisonVerdict {
  text: string;
  /** Null where no drop was named, or there is no difference. */
  isWithinDrop: boolean | null;
}

const directions: Record<Comparison['direction'], string> = {
  better: 'better: the whole interval lies above 0',
  worse: 'worse: the whole interval lies below 0',
  unclear: 'not clearly better or worse: 0 is in the interval',
};

export function verdictOf(
  { difference, direction }: Comparison,
  { maxDrop }: { maxDrop?: number | undefined },
): ComparisonVerdict {
  const text = `The candidate is ${directions[direction]}.`;
  if (maxDrop === undefined || difference === null) return { text, isWithinDrop: null };
  // Not being worse for certain is no proof of being as good.
  const isWithinDrop = isAtLeast(difference.low, -maxDrop);
  const shown = isWithinDrop
    ? `shown to fall by no more than ${maxDrop}`
    : `not shown to fall by no more than ${maxDrop}: it may fall by ${figure(-difference.low)}`;
  return { text: `${text} Its mean is ${shown}.`, isWithinDrop };
}

/** The goal by which the candidate ended; undefined without one. */
export function goalRemark({ goal }: Comparison): string | undefined {
  if (goal === null) return undefined;
  return `The candidate ended by its goal, ${goal.goal}: ${goalText(goal)}. That holds at every look; p and the interval of the comparison are for a number of tasks that was chosen before.`;
}

/** The comparison as Markdown for a pull request. Ids of tasks are shown as they are, never as markup. */
export function comparisonMarkdown(
  comparison: Comparison,
  { text, isWithinDrop }: ComparisonVerdict,
  { baseline, candidate }: { baseline: string; candidate: string },
): string {
  const { difference, better, worse, unchanged, doubts } = comparison;
  const remark = goalRemark(comparison);
  const sign = doubts.length > 0 ? '⚠️' : isWithinDrop === false ? '❌' : '✅';
  const sections = [`## ${sign} ${doubts.length > 0 ? 'These figures cannot be relied on.' : text}`];
  for (const { message } of doubts) sections.push(`> ${markdownCell(message)}`);
  if (remark !== undefined) sections.push(`> ${markdownCell(remark)}`);
  if (difference !== null) {
    const { value, low, high, tasks } = difference;
    sections.push(
      tableOf(
        ['baseline', 'candidate', 'mean difference', '95 % interval', 'tasks'],
        [
          [
            baseline,
            candidate,
            signed(value),
            Number.isFinite(low) ? `${signed(low)} to ${signed(high)}` : 'none',
            `${tasks}: ${better.length} better, ${worse.length} worse, ${unchanged} unchanged`,
          ],
        ],
      ),
    );
  }
  for (const [name, changes] of [
    ['worse', worse],
    ['better', better],
  ] as const)
    if (changes.length > 0) {
      const first = firstRows(name, changes, (task) => [
        task.taskId,
        figure(task.baseline),
        figure(task.candidate),
      ]);
      sections.push(tableOf([first.title, 'baseline', 'candidate'], first.rows));
    }
  return `${sections.join('\n\n')}\n`;
}

function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable({ columns: titles.map((title) => ({ title })), rows });
}
