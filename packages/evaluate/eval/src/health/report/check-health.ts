import { healthChecks } from '../checks/health-checks.ts';
import { type HealthOptions, readHealthOptions } from '../run/health-options.ts';
import type { RecordedRollout } from '@art/trajectories';
import type { HealthCheckResult, HealthLevel } from '../result/health-check-result.ts';
import { unhealthyTasks } from './unhealthy-tasks.ts';

/** Verdicts of all checks over a run. */
export interface HealthReport {
  rollouts: number;
  /** One for each check. */
  checks: HealthCheckResult[];
  /** The worst level of all findings; undefined where there is none, which says nothing of what was not observed. */
  worst: HealthLevel | undefined;
}

/** The checks at work on a run that continues. */
export class RunHealth {
  readonly #observers;
  readonly #inputs = new Map<string, string[]>();
  #rollouts = 0;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: HealthOptions = {}) {
    const thresholds = readHealthOptions(options);
    this.#observers = healthChecks.map((check) => ({ id: check.id, observer: check.observe(thresholds) }));
  }

  /** Takes a rollout that has ended; nothing of its texts is kept. */
  see(rollout: RecordedRollout): void {
    this.#rollouts += 1;
    const ids = this.#inputs.get(rollout.inputId);
    if (ids === undefined) this.#inputs.set(rollout.inputId, [rollout.id]);
    else ids.push(rollout.id);
    for (const { observer } of this.#observers) observer.see(rollout);
  }

  /** Report about the rollouts so far. */
  report(): HealthReport {
    const checks = this.#observers.map(({ id, observer }): HealthCheckResult => ({
      check: id,
      ...observer.judge(),
    }));
    checks.push({ check: 'task_always_unhealthy', ...unhealthyTasks(this.#inputs, checks) });
    const levels = new Set(checks.map((result) => (result.state === 'finding' ? result.level : undefined)));
    const worst = (['error', 'warning', 'note'] as const).find((level) => levels.has(level));
    return { rollouts: this.#rollouts, checks, worst };
  }
}

/**
 * Looks at a run for what its figures do not show: tools that were never called, rewards that do not depend on the answer, groups without
 * spread, a machine that failed. Costs no I/O; a trainer can ask it for every batch.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function checkHealth(
  rollouts: Iterable<RecordedRollout> | AsyncIterable<RecordedRollout>,
  options: HealthOptions = {},
): Promise<HealthReport> {
  const health = new RunHealth(options);
  for await (const rollout of rollouts) health.see(rollout);
  return health.report();
}
