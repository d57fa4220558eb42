import { formatCost } from '@art/eval';
import type { TrainingStep } from '@art/train';
import { knownFigure } from './known-figure.ts';

/** A step as a line for people. */
export function formatStep(
  {
    step,
    reward,
    rewardOfTen,
    groups,
    evaluations,
    spent,
    drawn,
    goesBackTo,
    klToTeacher,
    lag,
    staleRows,
    logprobGap,
    rolloutMs,
    trainMs,
  }: TrainingStep,
  steps: number,
): string {
  const held = evaluations.map(
    ({ step: version, score, tasks, isBest }) =>
      `version ${version} scores ${knownFigure(score)}${tasks === undefined ? '' : ` on ${tasks} tasks`}${isBest ? ', the best so far' : ''}`,
  );
  const tokens = spent.promptTokens + spent.sampledTokens + spent.trainedTokens;
  return [
    `step ${step} of ${steps}`,
    `reward ${knownFigure(reward)}, mean of ten ${knownFigure(rewardOfTen)}`,
    `${groups.trained} groups train${groups.withoutSpread > 0 ? `, ${groups.withoutSpread} without spread` : ''}${groups.failed > 0 ? `, ${groups.failed} failed` : ''}${groups.refilled > 0 ? `, ${groups.refilled} taken in place` : ''}`,
    ...partsOf(drawn),
    ...held,
    ...(goesBackTo === undefined ? [] : [`goes back to version ${goesBackTo}`]),
    ...(klToTeacher === undefined ? [] : [`${klToTeacher.toPrecision(3)} nats to the teacher`]),
    `${tokens.toLocaleString('en-US')} tokens${spent.money === undefined ? '' : `, ${formatCost(spent.money)} spent`}`,
    ...(lag === undefined || lag.most === 0 ? [] : [`lag ${lag.mean.toFixed(2)}, most ${lag.most}`]),
    ...(staleRows === 0 ? [] : [`${staleRows} rows too old`]),
    ...(logprobGap === undefined ? [] : [`gap ${logprobGap.toPrecision(2)}`]),
    `${seconds(rolloutMs)} rollouts, ${seconds(trainMs)} step`,
  ].join(' · ');
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

/** How many tasks of each part of a mixture a step took; nothing where there is none. */
function partsOf(drawn: TrainingStep['drawn']): string[] {
  const parts = Map.groupBy(drawn, ({ part }) => part);
  parts.delete(undefined);
  return parts.size === 0
    ? []
    : [Array.from(parts, ([part, { length }]) => `${length} of ${part}`).join(', ')];
}
