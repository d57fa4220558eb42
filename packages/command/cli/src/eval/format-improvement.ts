import { figure, goalText } from '@art/eval';
import type { Improvement, ImproveStatus, IterationRecord } from '@art/improve';
import { formatTable, right } from '../terminal/format-table.ts';

/** "iteration 3, child, 36 of 150 rollouts, 2 candidates, mean 0.333, best 0.667" */
export function formatImproveStatus(status: ImproveStatus): string {
  const { iteration, phase, rollouts, budget, candidates, startMean, bestMean } = status;
  return [
    `iteration ${iteration}`,
    phase.replace('_', ' '),
    `${rollouts} of ${budget} rollouts`,
    ...(startMean === null || bestMean === null
      ? []
      : [`${candidates} candidates`, `mean ${figure(startMean)}`, `best ${figure(bestMean)}`]),
  ].join(', ');
}

/** A line for each iteration. */
export function formatIteration(record: IterationRecord): string {
  const { iteration, verdict, parent, candidate, prompt, parentScores, childScores, mean } = record;
  if (verdict === 'start')
    return `Candidate 0, the prompts in the code: mean ${figure(mean!)} on the validation tasks.`;
  const of = `Iteration ${iteration}: candidate ${parent}`;
  const scores = `${sumOf(parentScores)} to ${sumOf(childScores)} on the minibatch`;
  switch (verdict) {
    case 'accepted':
      return `${of}, prompt ${prompt}: ${scores}, accepted as candidate ${candidate} with mean ${figure(mean!)} on the validation tasks.`;
    case 'rejected':
      return `${of}, prompt ${prompt}: ${scores}, rejected.`;
    case 'perfect':
      return `${of}: all tasks of the minibatch pass, nothing to learn.`;
    case 'unchanged':
      return `${of}, prompt ${prompt}: the reflecting model changed nothing.`;
    case 'excluded':
      return `${of}: dropped, some tasks have no score.`;
  }
}

/** The candidates of a search, and what is to be made of them. */
export function formatImprovement(
  { candidates, best, rollouts, heldOut }: Improvement,
  folder: string,
): string {
  const table = formatTable(
    ['candidate', 'made of', 'changed', right('mean on validation')],
    candidates.map(({ parent, prompts, mean }, at) => [
      at === best ? `${at} (best)` : String(at),
      parent === null ? 'the code' : `candidate ${parent}`,
      parent === null
        ? ''
        : Object.keys(prompts)
            .filter((name) => prompts[name] !== candidates[parent]!.prompts[name])
            .join(', '),
      figure(mean),
    ]),
  );
  return `${table}\n${verdictOf(best, heldOut)} ${rollouts} rollouts.\nThe best prompts are in ${folder}/prompts.json.\n`;
}

function verdictOf(best: number, heldOut: Improvement['heldOut']): string {
  if (best === 0) return 'No better prompts than those in the code were found.';
  if (heldOut === null)
    return `Candidate ${best} is best on the validation tasks, by which it was selected; without --held-out nobody knows whether it is on others.`;
  const { direction, doubts, goal } = heldOut.comparison;
  if (doubts.length > 0)
    return `Candidate ${best} is best on the validation tasks; the comparison on the held-out tasks cannot be relied on.`;
  if (goal !== null)
    return `Candidate ${best} is best on the validation tasks. On the held-out tasks, ${goal.goal}: ${goalText(goal)}.`;
  if (direction === 'better')
    return `Candidate ${best} is better on the held-out tasks than the prompts in the code.`;
  return `Candidate ${best} is best on the validation tasks, but ${direction === 'worse' ? 'worse' : 'not clearly better'} on the held-out tasks: keep the prompts in the code.`;
}

function sumOf(scores: readonly (number | null)[] | null): string {
  return figure((scores ?? []).reduce<number>((sum, score) => sum + (score ?? 0), 0));
}
