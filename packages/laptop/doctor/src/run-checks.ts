import { callWithin } from '@art/ground';
import { fault, type Finding, followsFrom, type Seen } from './finding.ts';

export interface RunChecksOptions {
  /** Called with each finding as it comes. */
  onFinding?: ((finding: Finding) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Runs checks one after the other.
 * @returns one finding a check, in order
 * @throws the signal's reason
 */
export async function runChecks<Check extends Pick<Finding, 'id' | 'title' | 'why' | 'todo'>>(
  checks: readonly Check[],
  run: (check: Check) => Promise<Seen>,
  { onFinding, signal }: RunChecksOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const { id, title, why, todo } = check;
    const seen = await callWithin(() => run(check), { signal });
    const finding = { id, title, why, todo, ...seen };
    findings.push(finding);
    onFinding?.(finding);
  }
  return findings;
}

/** A check that can be a consequence of another one. */
export interface DependentCheck extends Pick<Finding, 'id' | 'title' | 'why' | 'todo'> {
  /** A check of which this one is a consequence: it is skipped where that one has found a fault. */
  after?: string;
  /** Runs the check; what it throws is a fault. */
  run: () => Promise<Seen>;
}

/** As `runChecks`, and what follows from a fault is skipped. @throws the signal's reason */
export function runDependentChecks(
  checks: readonly DependentCheck[],
  options: RunChecksOptions,
): Promise<Finding[]> {
  const faults = new Set<string>();
  const runOne = async ({ id, after, run }: DependentCheck): Promise<Seen> => {
    const seen = after !== undefined && faults.has(after) ? followsFrom(after) : await run().catch(failed);
    // What follows from a fault stands for it.
    if (seen.verdict === 'fault' || seen.because !== undefined) faults.add(id);
    return seen;
  };
  return runChecks(checks, runOne, options);
}

export function failed(error: unknown): Seen {
  const { name, message } = error as Error;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return fault(`${status === undefined ? '' : `${status} `}${name}: ${message}`);
}
