import { recordChecks } from './record-checks.ts';
import { refusalChecks } from './refusal-checks.ts';
import { repeatChecks } from './repeat-checks.ts';
import type { RipCheck } from './rip-check.ts';
import { startChecks } from './start-checks.ts';

export { conformanceAgent } from './conformance-agent.ts';
export { whyRipSkipped, type RipCheck, type RipServer, type RipServerCapability } from './rip-check.ts';

/**
 * Everything that a server of the Runtime Invocation Protocol, version 1, must do, as data: run each check, one after the
 * other, under the test runner of your choice.
 */
export const ripChecks: readonly RipCheck[] = [
  ...startChecks,
  ...repeatChecks,
  ...refusalChecks,
  ...recordChecks,
];
