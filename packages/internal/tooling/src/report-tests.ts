/** Prints the last lines of `npm test`, cached runs included. The argument is the exit code of the checks before it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closingLines, type PackageTests } from './closing-lines.ts';
import { testReportFile, type TestReport } from './test-reporter.ts';
import { isThorough } from './thorough.ts';
import { workspaceManifests, workspaceRoot } from './workspace-manifests.ts';

const packages = workspaceManifests().flatMap(({ folder, manifest: { name, scripts } }): PackageTests[] =>
  partsOf(scripts).map((part) => {
    const file = join(workspaceRoot, folder, testReportFile(part));
    const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestReport) : undefined;
    return { name, folder, part, report };
  }),
);
const { lines, exitCode } = closingLines(packages, Number(process.argv[2]), isThorough);
console.log(lines.join('\n'));
process.exitCode = exitCode;

/** The parts in which a package is tested, by its scripts; undefined stands for all of its tests at once. */
function partsOf(scripts: Readonly<Record<string, string>>): (string | undefined)[] {
  const parts = Object.values(scripts).flatMap((script) => /^ART_TEST_PART=(\S+) /.exec(script)?.[1] ?? []);
  return parts.length === 0 && 'test' in scripts ? [undefined] : parts;
}
