import { resolve } from 'node:path';
import { compareRuns, type Comparison, figure, type TaskChange } from '@art/eval';
import { ArtError } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../terminal/format-table.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printableText } from '../terminal/printable-text.ts';
import type { CompareOptions } from '../commands/compare-command.ts';
import { shownPath } from './shown-path.ts';

const mostShown = 10;

/** `art compare`. @returns the exit code */
export async function runCompare(options: CompareOptions, context: CliContext): Promise<number> {
  const { cwd, stdout } = context;
  const [first, second] = [resolve(cwd, options.first), resolve(cwd, options.second)];
  const baseline = resolve(cwd, options.baseline ?? options.first);
  if (baseline !== first && baseline !== second) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --baseline to be one of both runs, got ${options.baseline}.`,
    });
  }
  const candidate = baseline === first ? second : first;
  const comparison = await compareRuns({ baseline, candidate });
  if (options.json) stdout.write(plainJson(comparison));
  else
    stdout.write(
      printableText(formatComparison(comparison, shownPath(cwd, baseline), shownPath(cwd, candidate))),
    );
  if (comparison.difference === null) return exitCodes.infrastructure;
  return options.failOnRegression && comparison.direction === 'worse'
    ? exitCodes.belowThreshold
    : exitCodes.ok;
}

const directions: Record<Comparison['direction'], string> = {
  better: 'better: the whole interval lies above 0',
  worse: 'worse: the whole interval lies below 0',
  unclear: 'no clear difference: 0 is in the interval',
};

function formatComparison(comparison: Comparison, baseline: string, candidate: string): string {
  const { difference, better, worse, unchanged, onlyBaseline, onlyCandidate } = comparison;
  if (difference === null) return `No task has judged samples in both ${baseline} and ${candidate}.\n`;
  const { value, low, high, pValue, test, tasks } = difference;
  const bounds = Number.isFinite(low) ? ` [${signed(low)}, ${signed(high)}]` : '';
  const lines = [
    formatTable(
      [{ title: 'figure' }, { title: 'value' }],
      [
        ['baseline', baseline],
        ['candidate', candidate],
        ['mean difference', `${signed(value)}${bounds}, 95 % by a bootstrap over tasks`],
        [
          'p',
          `${pValue < 0.0001 ? '< 0.0001' : pValue.toFixed(4)} (${test === 'mcnemar' ? 'exact McNemar test' : 'sign-flip permutation test'})`,
        ],
        ['tasks', `${tasks} in both: ${better.length} better, ${worse.length} worse, ${unchanged} unchanged`],
      ],
    ),
  ];
  for (const [title, changes] of [
    ['worse', worse],
    ['better', better],
  ] as const)
    if (changes.length > 0) lines.push(formatChanges(title, changes));
  const left = onlyBaseline.length + onlyCandidate.length;
  if (left > 0)
    lines.push(
      `${left} tasks have judged samples in one of both only (${onlyBaseline.length} in the baseline) and are left out.\n`,
    );
  lines.push(`The candidate is ${directions[comparison.direction]}.\n`);
  return lines.join('\n');
}

function formatChanges(title: string, changes: readonly TaskChange[]): string {
  return formatTable(
    [
      { title: changes.length > mostShown ? `${title} (${mostShown} of ${changes.length})` : title },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
      { title: 'change', align: 'right' },
    ],
    changes
      .slice(0, mostShown)
      .map((task) => [
        task.taskId.replaceAll(/\s+/g, ' ').slice(0, 60),
        figure(task.baseline),
        figure(task.candidate),
        signed(task.change),
      ]),
  );
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${figure(value)}`;
}
