import { bodyChecks } from './body-checks.ts';
import { cancellationChecks } from './cancellation-checks.ts';
import { ifAbsentChecks } from './if-absent-checks.ts';
import { listChecks } from './list-checks.ts';
import { missingKeyChecks } from './missing-key-checks.ts';
import { oddKeyChecks } from './odd-key-checks.ts';
import type { ResultStoreCheck } from './result-store-check.ts';
import { watchChecks } from './watch-checks.ts';

export {
  whySkipped,
  type ResultStoreCapability,
  type ResultStoreCheck,
  type ResultStoreCheckContext,
} from './result-store-check.ts';

/** Everything that a result store must do, as data: run each check under the test runner of your choice. */
export const resultStoreChecks: readonly ResultStoreCheck[] = [
  ...bodyChecks,
  ...missingKeyChecks,
  ...ifAbsentChecks,
  ...oddKeyChecks,
  ...listChecks,
  ...cancellationChecks,
  ...watchChecks,
];
