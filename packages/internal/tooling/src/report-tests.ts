/** Prints the last lines of `npm test`, cached runs included. The argument is the exit code of the checks before it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closingLines, type PackageTests } from './closing-lines.ts';
import { testReportFile, type TestReport } from './test-reporter.ts';
import { isThorough } from './thorough.ts';

interface Manifest {
  name: string;
  scripts?: Record<string, string>;
}

const root = join(import.meta.dirname, '../../../..');
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const packages = globSync('{packages/*,examples}/*/package.json', { cwd: root }).flatMap(
  (manifest): PackageTests[] => {
    const folder = dirname(manifest);
    const { name, scripts = {} } = read(join(root, manifest)) as Manifest;
    return partsOf(scripts).map((part) => {
      const file = join(root, folder, testReportFile(part));
      return { name, folder, part, report: existsSync(file) ? (read(file) as TestReport) : undefined };
    });
  },
);
const { lines, exitCode } = closingLines(packages, Number(process.argv[2]), isThorough);
console.log(lines.join('\n'));
process.exitCode = exitCode;

/** The parts in which a package is tested, by its scripts; undefined stands for all of its tests at once. */
function partsOf(scripts: Readonly<Record<string, string>>): (string | undefined)[] {
  const parts = Object.values(scripts).flatMap((script) => /^ART_TEST_PART=(\S+) /.exec(script)?.[1] ?? []);
  return parts.length === 0 && 'test' in scripts ? [undefined] : parts;
}
