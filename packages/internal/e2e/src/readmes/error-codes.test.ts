import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspacePackages, workspaceRoot } from '../workspace-packages.ts';

/** Meaning of each error code, by the folder of the package that declares it. */
const declared = new Map<string, Record<string, string>>();
for (const { folder, path } of workspacePackages.values()) {
  const tables = globSync(`${path}/src/**/error-codes.ts`, { cwd: workspaceRoot }).toSorted();
  for (const table of tables) {
    const { errorCodes } = (await import(join(workspaceRoot, table))) as {
      errorCodes: Record<string, string>;
    };
    declared.set(folder, { ...declared.get(folder), ...errorCodes });
  }
}
const environmentVariables = [
  'ART_HOST',
  'ART_PLAYED_SNAPSHOT',
  'ART_INVOCATION_PATH',
  'ART_RESULT_STORE',
  'ART_GATEWAY_ADMIN_TOKEN',
  'ART_COLLECT_TOKEN',
];

it('the page of the error codes is made of what the packages declare', async () => {
  const sections = [...declared].map(([folder, codes]) =>
    [
      `## @art/${folder}\n`,
      ...Object.entries(codes).map(([code, meaning]) => `- \`${code}\`: ${meaning}`),
    ].join('\n'),
  );
  const page = `# Error codes

Every error of the toolkit is an \`ArtError\` of \`@art/ground\`, with one of these in \`code\`. What several packages throw
stands under \`@art/ground\` and \`@art/protocol\`. This page is written by
\`pnpm --filter @art/e2e exec vitest run src/readmes/error-codes.test.ts -u\`.

${sections.join('\n\n')}
`;
  await expect(page).toMatchFileSnapshot(join(workspaceRoot, 'packages/internal/docs/error-codes.md'));
});

it('no code is declared twice', () => {
  const codes = [...declared.values()].flatMap((table) => Object.keys(table));
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

it('a public package names only codes that it declares or that a package below it declares', () => {
  const strange = [...workspacePackages.values()].flatMap(({ folder, path, wing }) => {
    if (wing === 'internal') return [];
    const known = new Set(environmentVariables);
    for (const name of [folder, ...dependenciesOf(folder)])
      for (const code of Object.keys(declared.get(name) ?? {})) known.add(code);
    return globSync(`${path}/src/**/*.ts`, { cwd: workspaceRoot })
      .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
      .flatMap((path) => codesIn(path, /'(ART_[A-Z_]+)'/g))
      .filter((code) => !known.has(code))
      .map((code) => `${code} in ${folder}`);
  });
  expect(strange).toEqual([]);
});

it('READMEs and pages name only codes that there are', () => {
  const known = new Set([
    ...environmentVariables,
    ...[...declared.values()].flatMap((table) => Object.keys(table)),
  ]);
  const pages = globSync('{README.md,{packages/*,examples}/*/README.md,packages/internal/docs/**/*.md}', {
    cwd: workspaceRoot,
    exclude: (path) => path.endsWith('docs/dist'),
  });
  const named = pages.flatMap((path) => codesIn(path, /`(ART_[A-Z_]+)`/g));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((code) => !known.has(code))).toEqual([]);
});

it('every code is used by the package that declares it, or by one above it', () => {
  const named = new Set(
    globSync('packages/*/*/src/**/*.ts', { cwd: workspaceRoot })
      .filter((path) => !/(\.(test|fixture)|error-codes)\.ts$/.test(path))
      .flatMap((path) => codesIn(path, /'(ART_[A-Z_]+)'/g)),
  );
  const unused = [...declared.values()].flatMap((table) =>
    Object.keys(table).filter((code) => !named.has(code)),
  );
  expect(unused).toEqual([]);
});

function codesIn(path: string, pattern: RegExp): string[] {
  return [...readFileSync(join(workspaceRoot, path), 'utf8').matchAll(pattern)].map((match) => match[1]!);
}

/** The folders of the packages that a package depends on, at any depth. */
function dependenciesOf(folder: string, seen = new Set<string>()): Set<string> {
  for (const name of Object.keys(workspacePackages.get(folder)?.manifest.dependencies ?? {})) {
    const dependency = /^@art\/(.+)$/.exec(name)?.[1];
    if (dependency === undefined || seen.has(dependency)) continue;
    seen.add(dependency);
    dependenciesOf(dependency, seen);
  }
  return seen;
}
