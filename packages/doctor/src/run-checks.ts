import { callWithin } from '@art/async';
import type { Finding, Seen } from './finding.ts';

export interface RunChecksOptions {
  /** Told of each finding as it comes. */
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
