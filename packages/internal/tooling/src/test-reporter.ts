import { rmSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { missingMark } from './say-missing.ts';

/** Where the tests of a package, or of one part of it, leave their report, for the closing lines of `npm test`. */
export function testReportFile(part?: string): string {
  return part === undefined ? '.test-report.json' : `.test-report.${part}.json`;
}

/** Result of a run of one package's tests. */
export interface TestReport {
  passed: number;
  skipped: number;
  failed: FailedTest[];
  /** A line for each part that the machine lacks, each once. */
  missing: string[];
}

export interface FailedTest {
  /** Below the package's folder; absent where an error came from no file of tests. */
  file?: string;
  /** The test's own name; absent where the file failed before or after its tests. */
  name?: string;
  /** The first line of the error. */
  error: string;
}

/** Writes the report. A run that is killed leaves none. */
export class TestReporter implements Reporter {
  readonly #file: string;
  readonly #missing = new Set<string>();

  constructor(file: string = testReportFile(process.env['ART_TEST_PART'])) {
    this.#file = file;
  }

  onTestRunStart(): void {
    rmSync(this.#file, { force: true });
  }

  onUserConsoleLog(log: { content: string }): void {
    for (const line of log.content.split('\n')) {
      if (line.startsWith(missingMark)) this.#missing.add(line.slice(missingMark.length));
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const report: TestReport = {
      passed: count('passed'),
      skipped: count('skipped'),
      failed: [
        ...modules.flatMap(failedOf),
        ...errors.map((error) => ({ error: `outside of a test: ${firstLine(error)}` })),
      ],
      missing: [...this.#missing],
    };
    writeFileSync(this.#file, JSON.stringify(report));
  }
}

function failedOf(module: TestModule): FailedTest[] {
  const file = module.relativeModuleId;
  const suites = [module, ...module.children.allSuites()];
  return [
    ...suites.flatMap((suite) => suite.errors().map((error) => ({ file, error: firstLine(error) }))),
    ...[...module.children.allTests('failed')].map((test) => ({
      file,
      name: test.name,
      error: firstLine(firstErrorOf(test)),
    })),
  ];
}

function firstErrorOf(test: TestCase): { message: string } {
  return test.result().errors?.[0] ?? { message: 'no error was given' };
}

function firstLine({ message }: { message: string }): string {
  return message.split('\n', 1)[0]!;
}
