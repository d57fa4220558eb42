import { rmSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/** Where a package's run leaves the names of tests that passed on their second try only. */
export const secondTryFile = '.test-second-tries.json';

/** Notes tests that needed a second try, so that the closing line names them: they pass, and are to be mended. */
export class SecondTryReporter implements Reporter {
  readonly #names: string[] = [];

  onTestRunStart(): void {
    rmSync(secondTryFile, { force: true });
  }

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true)
      this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length > 0) writeFileSync(secondTryFile, JSON.stringify(this.#names));
  }
}
