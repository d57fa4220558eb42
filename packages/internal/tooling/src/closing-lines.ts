import { join } from 'node:path';
import type { FailedTest, TestReport } from './test-reporter.ts';

/** The tests of one package, or of one part of it: what they came to, or undefined where they ended without a report. */
export interface PackageTests {
  /** As in its package.json. */
  name: string;
  /** Its folder below the workspace. */
  folder: string;
  /** Its script is `test:<part>`. */
  part?: string | undefined;
  report: TestReport | undefined;
}

/**
 * The last lines of `npm test`: what the machine lacks, the sums, and each failed test with its file and the command that runs it alone.
 * @param checksExitCode what the checks ended with, of which the tests are a part
 * @param wasThorough true after `pnpm thorough`: the command that runs a failed test alone asks for the same
 */
export function closingLines(
  packages: readonly PackageTests[],
  checksExitCode: number,
  wasThorough = false,
): { lines: string[]; exitCode: number } {
  const reports = packages.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const sum = (of: (report: TestReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const passed = sum((report) => report.passed);
  const failures = packages
    .flatMap(failuresOf)
    .map((failure) => (wasThorough ? failure.replace('\n  npx ', '\n  ART_THOROUGH=1 npx ') : failure));
  if (failures.length === 0 && checksExitCode !== 0) {
    failures.push(
      'No test failed, but another check did: the line "Failed:" above names the task, and its output is above that line.',
    );
  }
  const missing = new Set(reports.flatMap((report) => report.missing));
  return {
    lines: [
      ...[...missing].toSorted().map((part) => `skipped: ${part}`),
      `${passed} passed, ${sum(({ failed }) => failed.length)} failed, ${sum(({ skipped }) => skipped)} skipped`,
      ...failures,
    ],
    exitCode: checksExitCode === 0 && (passed === 0 || failures.length > 0) ? 1 : checksExitCode,
  };
}

function failuresOf({ name, folder, part, report }: PackageTests): string[] {
  if (report === undefined) {
    const [tests, run] =
      part === undefined
        ? ['its tests', command(name)]
        : [`its tests of ${part}`, `npx pnpm --filter ${name} run test:${part}`];
    return [`FAILED ${folder}: ${tests} ended without a report\n  ${run}`];
  }
  return report.failed.map((failed) => failureOf(name, folder, failed));
}

function failureOf(packageName: string, folder: string, { file, name, error }: FailedTest): string {
  const place = [join(folder, file ?? ''), ...(name === undefined ? [] : [name])].join(' > ');
  return `FAILED ${place}\n  ${error}\n  ${command(packageName, file, name)}`;
}

/** The command that runs one test, or all of a file or a package, alone. */
function command(packageName: string, file?: string, name?: string): string {
  const pattern = name?.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`);
  return [
    `npx pnpm --filter ${packageName} exec vitest run`,
    ...(file === undefined ? [] : [file]),
    ...(pattern === undefined ? [] : [`-t '${pattern}'`]),
  ].join(' ');
}
