import { appendChecks } from './append-checks.ts';
import { boundChecks } from './bound-checks.ts';
import { sessionChecks } from './session-checks.ts';
import type { TraceStoreCheck } from './trace-store-check.ts';

/** Everything that a trace store must do, as data: run each check under the test runner of your choice. */
export const traceStoreChecks: readonly TraceStoreCheck[] = [
  ...appendChecks,
  ...sessionChecks,
  ...boundChecks,
];
