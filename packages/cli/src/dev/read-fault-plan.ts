import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkFaultPlan, type FaultPlan } from '@art/faults';
import { refuseOption } from '@art/protocol';

/**
 * Reads the fault plan that `--faults` names.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function readFaultPlan(file: string, cwd: string): FaultPlan {
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    refuseOption('--faults', 'a file that can be read', path, { advice: (cause as Error).message, cause });
  }
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (cause) {
    refuseOption('--faults', 'a file with JSON', path, { advice: (cause as Error).message, cause });
  }
  return checkFaultPlan(plan, file);
}
