import type { ProcessExit } from './guarded-process.ts';

/** "exited with code 1", "was killed by SIGKILL". */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `was killed by ${exit.signal}`;
}
