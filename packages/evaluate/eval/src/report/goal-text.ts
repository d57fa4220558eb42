import type { GoalEnd, GoalResult } from '../records/results-record.ts';
import { figure, formatCost } from './format-figures.ts';

const texts: Record<GoalEnd, string> = {
  decided: 'decided: it holds with 95 %',
  refuted: 'refuted: the opposite holds with 95 %',
  futile: 'futile: the tasks that are left would hardly show it',
  ceiling: 'undecided: no task is left, or the ceiling is reached',
};

/** "decided: it holds with 95 %, after 64 tasks: 0.842, at least 0.803 and at most 0.880, each with 95 %" */
export function goalText(result: GoalResult): string {
  const { goal, end, problem, tasks, value, low, high, missingSamples, missingCost } = result;
  if (problem !== null) return problem;
  const seen =
    value === null || low === null || high === null
      ? ''
      : `: ${figure(value)}, ${endsText(goal, figure(low), figure(high))}`;
  const cost = missingCost === null ? '' : `, ${formatCost(missingCost)}`;
  const more = missingSamples === null ? '' : `. About ${missingSamples} samples more would show it${cost}`;
  return `${texts[end]}, after ${tasks} ${tasks === 1 ? 'task' : 'tasks'}${seen}${more}`;
}

function endsText(goal: string, low: string, high: string): string {
  return goal.startsWith('width')
    ? `95 % from ${low} to ${high}`
    : `at least ${low} and at most ${high}, each with 95 %`;
}
