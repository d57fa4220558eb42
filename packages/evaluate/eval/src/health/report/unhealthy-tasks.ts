import { Tally } from '../result/tally.ts';
import type { HealthCheckResult, CheckJudgement } from '../result/health-check-result.ts';

/** Inputs with two rollouts or more, all of which have findings: the input is to blame, where others have healthy rollouts. */
export function unhealthyTasks(
  inputs: ReadonlyMap<string, readonly string[]>,
  checks: readonly HealthCheckResult[],
): CheckJudgement {
  const unhealthy = new Set(
    checks.flatMap((result) => (result.state === 'finding' ? [...result.rollouts] : [])),
  );
  const tasks = new Tally();
  for (const ids of inputs.values()) {
    const [first] = ids;
    if (ids.length > 1)
      tasks.see(
        ids.every((id) => unhealthy.has(id)),
        { id: first! },
      );
  }
  if (tasks.seen === 0) return { state: 'not_observed', why: 'no input has two rollouts' };
  // Where every input is unhealthy the run is, and the other findings say why.
  if (tasks.hits === 0 || tasks.hits === tasks.seen) return { state: 'healthy' };
  return tasks.finding(
    'note',
    `For ${tasks.of('inputs')} every rollout has a finding.`,
    'Look at these inputs: a broken task teaches nothing, and lowers the mean.',
  );
}
