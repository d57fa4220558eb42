import { readRunRollouts, recogniseRun } from '@art/eval/records';
import { checkHealth, type HealthOptions } from '@art/eval/health';
import type { CheckedHealth, RunHealthReport } from '../report/run-health.ts';

/**
 * Reads a run as far as it has got, and gives the verdicts of the checks.
 * @param positionOf a sample on the page by its id; undefined where the page has none
 * @returns null where the run keeps no rollouts
 */
export async function readHealth(
  path: string,
  purpose: NonNullable<HealthOptions['purpose']>,
  positionOf: (id: string) => number | undefined = () => undefined,
): Promise<RunHealthReport | null> {
  const run = await recogniseRun(path);
  if (run === undefined || (run.kind === 'training' && run.rollouts === undefined)) return null;
  const { rollouts, checks } = await checkHealth(readRunRollouts(run), { purpose });
  return {
    rollouts,
    checks: checks.map((result): CheckedHealth => {
      if (result.state !== 'finding') return result;
      const { rollouts: found, places, ...finding } = result;
      return {
        ...finding,
        places: places.map(({ id, call = null }) => ({ id, call, at: positionOf(id) ?? null })),
        samples: [...found].flatMap((id) => positionOf(id) ?? []),
      };
    }),
  };
}
