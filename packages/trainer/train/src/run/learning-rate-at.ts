import type { TrainSettings } from './train-options.ts';

/**
 * The learning rate of a step: it rises over the warm-up, and then stays or falls until the last step.
 * @param step from 1
 */
export function learningRateAt(
  step: number,
  {
    learningRate,
    learningRateSchedule: { kind, warmupSteps, floor },
    steps,
  }: Pick<TrainSettings, 'learningRate' | 'learningRateSchedule' | 'steps'>,
): number {
  if (step <= warmupSteps) return (learningRate * step) / (warmupSteps + 1);
  if (kind === 'constant') return learningRate;
  const done = Math.min(1, (step - warmupSteps - 1) / Math.max(1, steps - warmupSteps));
  const share = kind === 'linear' ? 1 - done : (1 + Math.cos(Math.PI * done)) / 2;
  return learningRate * (floor + (1 - floor) * share);
}
