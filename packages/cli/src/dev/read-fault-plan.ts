import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkFaultPlan, type FaultPlan } from '@art/faults';
import { ArtError } from '@art/protocol';

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
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --faults to name a readable file, got ${path} (${(cause as NodeJS.ErrnoException).code}).`,
      cause,
    });
  }
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --faults to name a file with JSON, got ${path}: ${(cause as Error).message}.`,
      cause,
    });
  }
  return checkFaultPlan(plan, file);
}
