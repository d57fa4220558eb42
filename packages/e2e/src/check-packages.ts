/**
 * Packs every published package as npm would get it, and asks publint and "are the types wrong" whether Node and TypeScript
 * find in it what its manifest promises. All of them in one process: started once for each package, the tools took
 * longer than their checks.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
}

const root = join(import.meta.dirname, '../../..');
const packages = join(root, 'packages');

/** The packages are for `import` alone, so how CommonJS or an old resolution would find their types is no concern. */
const concernsNobody = (problem: Problem): boolean =>
  'resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind);

async function problemsOf(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  const problems = analysis.types === false ? [] : analysis.problems;
  return [
    ...messages
      .filter(({ type }) => type !== 'suggestion')
      .map((message) => formatMessage(message, pkg) ?? message.code),
    ...problems.filter((problem) => !concernsNobody(problem)).map((problem) => JSON.stringify(problem)),
  ];
}

const tarballs = mkdtempSync(join(tmpdir(), 'art-packages-'));
try {
  execFileSync(
    join(root, 'node_modules/.bin/pnpm'),
    ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', tarballs],
    { cwd: root },
  );
  for (const folder of readdirSync(packages)) {
    const manifest = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')) as Manifest;
    if (manifest.private === true) continue;
    const tarball = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    const problems = await problemsOf(new Uint8Array(readFileSync(join(tarballs, tarball))));
    for (const problem of problems) console.error(`${manifest.name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(tarballs, { recursive: true, force: true });
}
