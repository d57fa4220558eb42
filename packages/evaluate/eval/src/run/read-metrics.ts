import { describeValue, isJsonObject } from '@art/ground';

/** Numbers beside the reward, by name. */
export type Metrics = Record<string, number>;

/** More than anybody looks at, and few enough that a hostile agent fills no report. */
const mostMetrics = 50;

/**
 * The `metrics` that an agent or a judge gave beside its reward, as trainers read them from a result: an object of numbers, where true is 1
 * and false is 0. What is no finite number is left out, which `problems` tells.
 */
export function readMetrics(given: unknown): { metrics: Metrics; problems: string[] } {
  if (given === undefined || given === null) return { metrics: {}, problems: [] };
  if (!isJsonObject(given))
    return {
      metrics: {},
      problems: [`Expected metrics to be an object of numbers, got ${describeValue(given)}.`],
    };
  const problems: string[] = [];
  const known: [string, number][] = [];
  for (const [name, value] of Object.entries(given)) {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number))
      problems.push(
        `Expected metrics.${name} to be a finite number, got ${describeValue(value)}; it is left out.`,
      );
    else known.push([name, number]);
  }
  if (known.length > mostMetrics)
    problems.push(`Expected at most ${mostMetrics} metrics, got ${known.length}; the others are left out.`);
  return {
    metrics: Object.fromEntries(known.slice(0, mostMetrics)),
    problems: problems.slice(0, mostMetrics),
  };
}
