/**
 * Packs every published package as npm would get it, looks at its files, and asks publint and "are the types wrong" whether Node and
 * TypeScript find in it what its manifest promises. All of them in one process: started once for each package, the tools took
 * longer than their checks.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packageFaults, type PublishedManifest } from './release/package-faults.ts';
import { publishedPackages, workspacePackages, workspaceRoot as root } from './workspace-packages.ts';

/** The packages are for `import` alone, so how CommonJS or an old resolution would find their types is no concern. */
const concernsNobody = (problem: Problem): boolean =>
  'resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind);

/** Names of the packages whose code the sources of a build import, those of private packages in it included. */
const importsOf = (folder: string): string[] => {
  const imported = globSync('src/**/*.{ts,tsx}', {
    cwd: folder,
    exclude: (path) => /\.(test|fixture|engine|peer)\./.test(path),
  })
    .flatMap((path) => [
      ...readFileSync(join(folder, path), 'utf8').matchAll(
        /^(?!(?:import|export) type )(?:import|.* from) '((?:@[\w-]+\/)?[\w.-]+)/gm,
      ),
    ])
    .map(([, name]) => name!);
  const inlined = [...new Set(imported)].flatMap((name) => {
    const member = workspacePackages.get(name.replace('@art/', ''));
    return member?.manifest.private === true ? importsOf(join(root, member.path)) : [];
  });
  return [...imported, ...inlined];
};

async function problemsOf(folder: string, tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const contents = createPackageFromTarballData(tarball);
  const analysis = await checkPackage(contents);
  const problems = analysis.types === false ? [] : analysis.problems;
  const root = `/node_modules/${contents.packageName}/`;
  const texts = new Map(
    contents.listFiles().map((path) => [path.slice(root.length), contents.readFile(path)]),
  );
  return [
    ...packageFaults({
      manifest: JSON.parse(texts.get('package.json')!) as PublishedManifest,
      files: new Map([...texts].map(([path, text]) => [path, Buffer.byteLength(text)])),
      imports: importsOf(folder),
      notice: texts.get('NOTICE') ?? '',
    }),
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
    ['--recursive', '--filter', './packages/**', 'pack', '--pack-destination', tarballs],
    { cwd: root },
  );
  for (const { path, manifest } of publishedPackages) {
    const tarball = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    const problems = await problemsOf(
      join(root, path),
      new Uint8Array(readFileSync(join(tarballs, tarball))),
    );
    for (const problem of problems) console.error(`${manifest.name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(tarballs, { recursive: true, force: true });
}
