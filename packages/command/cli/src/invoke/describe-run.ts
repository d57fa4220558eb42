import type { RunProgress } from '@art/client';
import type { RewardProblem } from '@art/protocol';

/**
 * Describes the items that this process settled. "3 items, 1 ok; mean reward 1.0 over 1 of 3 (1 agent_error, 1 lost)"; of groups "2 items,
 * 1 complete, 1 failed; mean reward 0.5 over 5 of 8 rollouts (3 lost)".
 */
export function describeRun(progress: RunProgress, kind: 'batch' | 'groups'): string {
  const { items, outcomes, unrewarded, rewarded, meanReward } = progress;
  const whole = `${items.settled} item${items.settled === 1 ? '' : 's'}`;
  if (items.settled === 0) return whole;
  // What the end of the run cut off has no outcome.
  const { ok, cancelled: _, ...failures } = outcomes;
  const problems = Object.entries(unrewarded).map(([problem, count]) => [withoutReward[problem], count]);
  const left = listOf([...Object.entries(failures), ...problems] as [string, number][]);
  const kinds = listOf(kind === 'batch' ? [['ok', rewarded]] : Object.entries(items.kinds));
  const parts = kinds === '' ? whole : `${whole}, ${kinds}`;
  const because = left === '' ? '' : ` (${left})`;
  if (meanReward === undefined) return `${parts}; no reward${because}`;
  const settled = ok + Object.values(failures).reduce((sum, count) => sum + count, 0);
  const of = kind === 'batch' ? `${settled}` : `${settled} rollouts`;
  return `${parts}; mean reward ${oneDecimal(meanReward)} over ${rewarded} of ${of}${because}`;
}

// Each is mended elsewhere: no reward computed, an empty list of turns, a value of the wrong type.
const withoutReward: Record<string, string> = {
  absent: 'ok without rewards',
  empty: 'ok with an empty list of rewards',
  not_a_number: 'ok with rewards that are no number',
  not_finite: 'ok with rewards that are not finite',
} satisfies Record<RewardProblem['kind'], string>;

function listOf(counts: readonly (readonly [string, number])[]): string {
  return counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Four digits that matter, and one behind the point at least, by which a reward is told from a count. */
function oneDecimal(value: number): string {
  const rounded = Number(value.toPrecision(4));
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}
