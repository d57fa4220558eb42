import { appendChecks } from './append-checks.ts';
import { boundChecks } from './bound-checks.ts';
import { sessionChecks } from './session-checks.ts';
import type { CaptureStoreCheck } from './capture-store-check.ts';

/** Everything that a capture store must do, as data: run each check under the test runner of your choice. */
export const captureStoreChecks: readonly CaptureStoreCheck[] = [
  ...appendChecks,
  ...sessionChecks,
  ...boundChecks,
];
