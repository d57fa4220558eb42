import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packageBuild } from '@art/tooling/tsup';
import { describe, expect, it } from 'vitest';
import {
  packageOf,
  publishedPackages,
  type WorkspacePackage,
  workspacePackages,
  workspaceRoot as root,
} from '../workspace-packages.ts';
import { type PackageArrows, upward, wings } from './arrows.ts';

/** The rows of the table by package. */
const rows = new Map<string, PackageArrows & { wing: string }>(
  Object.entries(wings).flatMap(([wing, { packages }]) =>
    Object.entries(packages).map(([folder, row]) => [folder, { ...row, wing }] as const),
  ),
);
const members = [...workspacePackages.values()].filter(({ wing }) => wing !== 'internal');
/** Private packages whose code is in the build of those that import them. */
const bundled = new Set(
  members.filter(({ manifest }) => manifest.private === true).map(({ folder }) => folder),
);

it('the tree has the wings and packages of the table', () => {
  const places = Object.entries(wings).flatMap(([wing, { packages }]) =>
    Object.keys(packages).map((folder) => `packages/${wing}/${folder}`),
  );
  expect(members.map(({ path }) => path).toSorted()).toEqual(places.toSorted());
});

it('arrows between wings point down', () => {
  const order = Object.keys(wings);
  const rising = [...rows].flatMap(([folder, row]) =>
    [row, ...Object.values(row.folders ?? {})].flatMap(({ packages }) =>
      packages
        .filter((target) => order.indexOf(rows.get(target)!.wing) > order.indexOf(row.wing))
        .map((target) => `${folder} -> ${target}`),
    ),
  );
  expect(rising).toEqual(Object.keys(upward));
});

describe.each(members.map((member) => [member.folder, member] as const))('%s', (folder, member) => {
  const { manifest } = member;
  const row = rows.get(folder)!;
  const everyRow = [row, ...Object.values(row.folders ?? {})];
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  // Types alone come from a package of their own.
  const importable = [
    ...declared,
    ...declared.map((name) => name.replace(/^@types\//, '')),
    ...(row.within ?? []),
  ];
  const inlined = [...importsOfPackage(member)].filter((name) => bundled.has(name.replace('@art/', '')));

  it('depends only on what the table allows', () => {
    const permitted = [...everyRow, ...inlined.map((name) => rows.get(name.replace('@art/', ''))!)].flatMap(
      ({ packages, outside = [] }) => [...packages.map((name) => `@art/${name}`), ...outside],
    );
    expect(declared.filter((name) => !permitted.includes(name))).toEqual([]);
  });

  it('imports, folder by folder, only what the table allows', () => {
    const wrong = sources(member).flatMap((file) => {
      const from = roomOf(member, file);
      const {
        packages,
        outside = [],
        inside,
        within = [],
      } = (from === '.' ? row : row.folders![from]) as {
        packages: readonly string[];
        outside?: readonly string[];
        inside?: readonly string[];
        within?: readonly string[];
      };
      const permitted = [...packages.map((name) => `@art/${name}`), ...outside, ...within];
      const foreign = importsOf(file).filter(
        (name) => !permitted.includes(name) && !permitted.includes(`@types/${name}`),
      );
      const rooms = specifiersOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => roomOf(member, resolve(dirname(file), specifier)))
        // The root of a package knows its folders; a folder knows what its row says.
        .filter((to) => from !== '.' && to !== from && !(inside ?? []).includes(to));
      return [...foreign, ...rooms].map((name) => `${file.slice(root.length + 1)}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it('imports only what it declares', () => {
    const undeclared = [...importsOfPackage(member)].filter(
      (name) => !importable.includes(name) && !inlined.includes(name),
    );
    const ofInlined = inlined
      .flatMap((name) => [...importsOfPackage(packageOf(name.replace('@art/', '')))])
      .filter((name) => manifest.private !== true && !importable.includes(name));
    expect([...undeclared, ...ofInlined]).toEqual([]);
  });

  it('declares nothing that it does not import', () => {
    const imported = new Set([
      ...importsOfPackage(member),
      ...inlined.flatMap((name) => [...importsOfPackage(packageOf(name.replace('@art/', '')))]),
    ]);
    const idle = Object.keys(manifest.dependencies ?? {}).filter(
      (name) => !imported.has(name.replace(/^@types\//, '')),
    );
    expect(idle).toEqual([]);
  });

  it('is an ESM package with the source condition first and a README', () => {
    expect(manifest).toMatchObject({ type: 'module', license: 'Apache-2.0', engines: { node: '>=22.19' } });
    expect(manifest.name).toBe(`@art/${folder}`);
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (entry === './package.json') continue;
      expect(Object.keys(target as object)).toEqual(['@art/source', 'types', 'default']);
    }
    const readme = readFileSync(join(root, member.path, 'README.md'), 'utf8');
    expect(readme).toMatch(new RegExp(`^# @art/${folder}\n`));
    expect(readme).toMatch(/```/);
    expect(readme).toMatch(/^\| /m);
  });
});

it.each(publishedPackages.map(({ folder, ...rest }) => [folder, rest] as const))(
  '%s says where it comes from, and where to report what is wrong',
  (_folder, { path, manifest }) => {
    const address = 'https://github.com/art-typescript/art';
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${address}.git`, directory: path },
      homepage: `${address}/tree/main/${path}#readme`,
      bugs: { url: `${address}/issues` },
    });
  },
);

it('source maps, which would be half of what is installed, are not built', () => {
  const options = packageBuild(['src/index.ts']) as { sourcemap?: unknown };
  const base = readFileSync(join(root, 'tsconfig.base.json'), 'utf8');
  expect(options.sourcemap).toBeUndefined();
  expect(base).not.toMatch(/declarationMap|sourceMap/);
  expect(
    publishedPackages.map(({ path }) => readFileSync(join(root, path, 'tsup.config.ts'), 'utf8')).join(),
  ).not.toMatch(/sourcemap/);
});

it('all public packages have one version', () => {
  expect(new Set(publishedPackages.map(({ manifest }) => manifest.version)).size).toBe(1);
});

it('every dependency comes from the registry, pinned by its hash', () => {
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const resolutions = lockfile.split('\n').filter((line) => /^ {4}resolution:/.test(line));
  expect(resolutions.length).toBeGreaterThan(100);
  expect(resolutions.filter((line) => !/\{integrity: sha512-[^,]+\}$/.test(line))).toEqual([]);
});

it("an agent's install has no AgentCore client, a trainer's no Fastify", () => {
  expect(closure('agent')).not.toContain('@aws-sdk/client-bedrock-agentcore');
  expect(closure('client')).not.toContain('fastify');
  expect(closure('store')).toEqual(new Set(['@art/ground', '@art/protocol', 'typebox']));
});

it('meta-packages only re-export and supply defaults', () => {
  for (const [folder, mostLines] of [
    ['agent', 42],
    ['client', 60],
  ] as const) {
    // A list of what others make is no code, however long it is.
    const [lists, code] = [true, false].map((isList) =>
      sources(packageOf(folder)).filter((file) => file.endsWith('/index.ts') === isList),
    );
    for (const file of lists!)
      expect(
        readFileSync(file, 'utf8')
          .replaceAll(/^export (type )?\{[^}]*\} from '[^']+';$/gm, '')
          .trim(),
      ).toBe('');
    const lines = code!.reduce(
      (sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length,
      0,
    );
    expect({ folder, isThin: lines <= mostLines }).toEqual({ folder, isThin: true });
  }
});

it('imports of other packages go through their exports', () => {
  const deep = [...workspacePackages.values()].flatMap((member) =>
    globSync(`${member.path}/src/**/*.ts`, { cwd: root }).flatMap((path) => {
      const own = join(root, member.path);
      return specifiersOf(join(root, path)).flatMap((specifier) => {
        const [, name = '', entry = ''] = /^@art\/([^/]+)(.*)$/.exec(specifier) ?? [];
        const isInside = specifier.startsWith('.')
          ? join(root, dirname(path), specifier).startsWith(`${own}/`)
          : name === '' ||
            name.startsWith('example-') ||
            `.${entry}` in (workspacePackages.get(name)?.manifest.exports ?? {});
        return isInside ? [] : [`${path}: ${specifier}`];
      });
    }),
  );
  expect(deep).toEqual([]);
});

it.each([...members.map(({ folder }) => folder), 'bench'])(
  'no folders and no files of %s import each other in a circle',
  (folder) => {
    const member = packageOf(folder);
    const source = join(root, member.path, 'src');
    const roots = [source, ...Object.keys(rows.get(folder)?.folders ?? {}).map((room) => join(source, room))];
    const files: [from: string, to: string][] = sources(member).flatMap((file) =>
      specifiersOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => [file, resolve(dirname(file), specifier)] as [string, string]),
    );
    const folders = files
      .map(([from, to]) => [dirname(from), dirname(to)] as [string, string])
      // Files in no folder are no stage: the list of exports, and what stands under everything.
      .filter(([from, to]) => from !== to && !roots.includes(from) && !roots.includes(to));
    expect(inCircles(folders)).toEqual([]);
    expect(inCircles(files)).toEqual([]);
  },
);

it('no file is a grab-bag', () => {
  const grabBags = globSync('{packages/*,examples}/*/src/**/{util,utils,types,helpers,common,misc}.ts', {
    cwd: root,
  });
  expect(grabBags).toEqual([]);
});

function sources({ path: folder }: Pick<WorkspacePackage, 'path'>): string[] {
  // What a page imports is in its bundle, and nobody installs it.
  return globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .filter((path) => !/\.(test|fixture)\.ts$|\/src\/page\//.test(path))
    .map((path) => join(root, path));
}

/** The folder of the table that a file of a package belongs to; `.` for all others. */
function roomOf({ folder, path }: WorkspacePackage, file: string): string {
  const [first = ''] = file.slice(join(root, path, 'src/').length).split('/');
  return first in (rows.get(folder)?.folders ?? {}) ? first : '.';
}

function importsOfPackage(member: WorkspacePackage): Set<string> {
  return new Set(sources(member).flatMap((file) => importsOf(file)));
}

/** The nodes that come back to themselves along the arrows. */
function inCircles(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reached = (from: string, seen: Set<string> = new Set()): Set<string> => {
    for (const to of targets.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  return [...targets.keys()].filter((from) => reached(from).has(from));
}

/** The imports of a file, static or not, as they are written. */
function specifiersOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return [
    ...text.matchAll(/(?:^|\n)(?:import|export)\b[^;]*?\bfrom '([^'\n]+)'|\bimport\('([^'\n]+)'\)/g),
  ].map((match) => match[1] ?? match[2] ?? '');
}

/** Names of the packages that a file imports; Node's own left out. */
function importsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

function closure(folder: string): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    for (const dependency of Object.keys(workspacePackages.get(name)?.manifest.dependencies ?? {})) {
      if (seen.has(dependency)) continue;
      seen.add(dependency);
      if (dependency.startsWith('@art/')) visit(dependency.slice('@art/'.length));
    }
  };
  visit(folder);
  return seen;
}
