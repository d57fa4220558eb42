import { formatCost } from '@art/eval';
import type { StatusRecord } from '@art/eval/records';

/** "120 of 800 samples, 16 at work, 100 ok, 20 lost, mean 0.512, about 3 min left" */
export function formatStatus(status: StatusRecord): string {
  const { total, done, atWork, judging, outcomes, meanScore, retried, throttled, cost, state } = status;
  return [
    `${done}${total === null ? '' : ` of ${total}`} samples`,
    ...(state === 'running' ? [] : [state]),
    `${atWork} at work`,
    ...(judging === 0 ? [] : [`${judging} being judged`]),
    ...Object.entries(outcomes).map(([kind, count]) => `${count} ${kind}`),
    ...(meanScore === null ? [] : [`mean ${meanScore.toFixed(3)}`]),
    ...(retried === 0 ? [] : [`${retried} retried`]),
    ...(throttled === 0 ? [] : [`${throttled} throttled`]),
    ...(cost === null ? [] : [`cost ${formatCost(cost)}`]),
  ].join(', ');
}
