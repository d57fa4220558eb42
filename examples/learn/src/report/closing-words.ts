import type { RunKind } from '../options.ts';
import { runTitle } from './run-title.ts';
import type { StepRecord } from './step-record.ts';

/** Mean reward of ten steps from which on the task counts as learnt. */
const learnt = 0.9;

/** Arithmetic alone makes some 1e-6 in float32. */
const mostGap = 1e-4;

/** Result of a run, and its meaning. */
export function closingWords(run: RunKind, records: readonly StepRecord[]): string {
  const last = records.at(-1);
  if (last === undefined) return `${runTitle(run)}: no step was made.`;
  const reached = records.find(({ meanOfTen = 0 }) => meanOfTen > learnt);
  const best = Math.max(...records.map(({ reward, meanOfTen = reward }) => meanOfTen));
  const rollouts = records.reduce((sum, record) => sum + record.rollouts, 0);
  const without = records.reduce((sum, record) => sum + record.withoutRows, 0);
  const gap = records.reduce((sum, { logprobGap }) => sum + logprobGap, 0) / records.length;
  const result =
    reached === undefined
      ? `never over ${learnt} in ${records.length} steps; the best mean of ten was ${best.toFixed(3)}`
      : `over ${learnt} (mean of ten) after ${reached.step} steps, ${(last.meanOfTen ?? last.reward).toFixed(3)} at the end`;
  return [
    `${runTitle(run)}: reward ${records[0]!.reward.toFixed(3)} at the start, ${result}.`,
    `${rollouts} rollouts, ${without === 0 ? 'every one' : `all but ${without}`} became rows.${gapWords(gap)}`,
    meaningOf(run, reached !== undefined, gap),
  ].join('\n');
}

function gapWords(gap: number): string {
  // Nothing to tell where the trainer takes its own logprobs.
  if (gap === 0) return '';
  return ` Engine and trainer differ by ${gap.toExponential(1)} in the logprob of a token that trains, on average.`;
}

function meaningOf(run: RunKind, hasLearnt: boolean, gap: number): string {
  if (run === 'exact' && gap > mostGap)
    return 'That is too much for the same weights and the same tokens: something between engine and trainer is wrong.';
  if (run === 'exact')
    return hasLearnt
      ? 'A TypeScript agent, a real gateway and a real trainer: the policy was trained on the very tokens that it sampled. To see\nwhat one wrong position costs: npm run learn -- --spoil shift-logprobs'
      : 'The tokens that trained are those that were sampled, but these steps were not enough. More: --steps.';
  if (hasLearnt) return 'This forgiving task is learnt all the same, if later. Larger ones are not so kind.';
  return 'Nothing else was changed: same engine, agent, trainer, seed. Such rows look right, and do not teach.';
}
