import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packageBuild } from '@art/tooling/tsup';
import { describe, expect, it } from 'vitest';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  type?: string;
  license?: string;
  engines?: { node?: string };
  repository?: object;
  homepage?: string;
  bugs?: object;
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Which package may depend on which, and on what from outside. A new arrow is a decision: make it here. */
const allowed: Record<string, { packages: string[]; outside: string[] }> = {
  async: { packages: [], outside: [] },
  protocol: { packages: [], outside: ['typebox'] },
  telemetry: { packages: [], outside: ['@opentelemetry/api'] },
  store: { packages: ['protocol'], outside: [] },
  'store-s3': {
    packages: ['async', 'protocol', 'store'],
    outside: ['@aws-sdk/client-s3', '@smithy/node-http-handler'],
  },
  'store-s3-events': {
    packages: ['async', 'protocol', 'store', 'store-s3'],
    outside: ['@aws-sdk/client-sqs'],
  },
  reward: {
    packages: ['async', 'protocol'],
    outside: ['@cortex-js/compute-engine', '@standard-schema/spec'],
  },
  reach: { packages: ['async', 'protocol'], outside: [] },
  server: {
    packages: ['async', 'protocol', 'reach', 'store', 'telemetry'],
    outside: ['@fastify/websocket', '@standard-schema/spec', '@types/ws', 'fastify', 'typebox', 'ws'],
  },
  sagemaker: {
    packages: ['async', 'protocol', 'server'],
    outside: ['@aws-sdk/credential-provider-node', '@smithy/signature-v4', 'fastify'],
  },
  'server-ping-thread': { packages: ['protocol', 'server'], outside: [] },
  invoke: {
    packages: ['async', 'protocol'],
    outside: [
      '@aws-sdk/client-bedrock-agentcore',
      '@smithy/node-http-handler',
      'bottleneck',
      'p-retry',
      'ws',
    ],
  },
  'invoke-redis': { packages: ['async', 'invoke', 'protocol'], outside: ['ioredis'] },
  journal: { packages: ['async', 'protocol', 'store'], outside: [] },
  rollout: {
    packages: [
      'async',
      'gateway-client',
      'journal',
      'protocol',
      'reach',
      'store',
      'telemetry',
      'trajectories',
    ],
    outside: [],
  },
  local: {
    packages: ['async', 'local-s3', 'protocol'],
    outside: ['fastify', '@fastify/websocket', '@smithy/eventstream-codec', 'ws'],
  },
  'local-s3': { packages: ['protocol', 'store'], outside: ['fastify', 'saxes'] },
  'mock-model': { packages: ['async', 'protocol'], outside: ['fastify', 'typebox'] },
  doctor: {
    packages: ['async', 'invoke', 'local', 'local-s3', 'mock-model', 'protocol', 'reach'],
    outside: ['@aws-sdk/client-bedrock-agentcore', '@aws-sdk/client-s3', 'dockerfile-ast', 'fastify'],
  },
  deploy: { packages: ['async', 'protocol'], outside: [] },
  faults: { packages: ['async', 'local', 'local-s3', 'protocol'], outside: [] },
  trajectories: { packages: ['protocol'], outside: ['hyparquet-writer'] },
  'gateway-client': { packages: ['async', 'protocol', 'trajectories'], outside: [] },
  'json-bytes': { packages: ['protocol'], outside: [] },
  'model-wires': { packages: ['json-bytes', 'protocol'], outside: [] },
  gateway: {
    packages: ['json-bytes', 'model-wires', 'protocol', 'telemetry', 'trajectories'],
    outside: ['fastify', 'prom-client', 'undici', 'yaml'],
  },
  collect: {
    packages: ['async', 'gateway-client', 'journal', 'protocol', 'rollout', 'store', 'trajectories'],
    outside: ['fastify'],
  },
  'token-engine': {
    packages: ['gateway', 'json-bytes', 'protocol'],
    outside: ['@huggingface/jinja', '@huggingface/tokenizers'],
  },
  cli: {
    packages: [
      'async',
      'client',
      'async',
      'collect',
      'create-agent',
      'deploy',
      'doctor',
      'eval',
      'faults',
      'gateway',
      'gateway-client',
      'health',
      'improve',
      'journal',
      'local',
      'mock-model',
      'protocol',
      'rollout',
      'sagemaker',
      'store',
      'store-s3',
      'token-engine',
      'train',
      'train-sagemaker',
      'train-tinker',
      'trajectories',
      'view',
    ],
    outside: [
      '@aws-sdk/credential-provider-node',
      '@commander-js/extra-typings',
      '@opentelemetry/sdk-node',
      '@smithy/hash-node',
      '@smithy/signature-v4',
      'chokidar',
      'commander',
      'esbuild',
    ],
  },
  'create-agent': { packages: ['deploy', 'protocol'], outside: ['@commander-js/extra-typings', 'commander'] },
  health: { packages: ['protocol', 'trajectories'], outside: [] },
  improve: { packages: ['eval', 'journal', 'protocol', 'reward', 'store'], outside: [] },
  train: {
    packages: ['async', 'eval', 'gateway-client', 'journal', 'protocol', 'rollout', 'trajectories'],
    outside: ['typebox'],
  },
  'train-sagemaker': {
    packages: ['async', 'protocol', 'train'],
    outside: ['@aws-sdk/credential-provider-node', '@smithy/hash-node', '@smithy/signature-v4'],
  },
  'train-tinker': { packages: ['async', 'protocol', 'train'], outside: ['@bufbuild/protobuf'] },
  view: { packages: ['async', 'eval', 'health', 'protocol'], outside: [] },
  eval: {
    packages: [
      'async',
      'gateway',
      'gateway-client',
      'journal',
      'local',
      'protocol',
      'rollout',
      'store',
      'trajectories',
    ],
    outside: ['csv-parse'],
  },
  agent: { packages: ['reward', 'server', 'store', 'store-s3'], outside: [] },
  client: { packages: ['invoke', 'journal', 'protocol', 'rollout', 'store', 'store-s3'], outside: [] },
};

const root = resolve(import.meta.dirname, '../../..');
const manifests = new Map(
  globSync('packages/*/package.json', { cwd: root }).map((path) => [
    dirname(path).slice('packages/'.length),
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
  ]),
);
const published = [...manifests].filter(([, manifest]) => manifest.private !== true);

describe.each(published)('%s', (folder, manifest) => {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  // Types alone come from a package of their own.
  const importable = [...declared, ...declared.map((name) => name.replace(/^@types\//, ''))];

  it('depends only on what the table allows', () => {
    const rule = allowed[folder];
    expect(rule, `packages/${folder} is not in the table`).toBeDefined();
    const permitted = [...rule!.packages.map((name) => `@art/${name}`), ...rule!.outside];
    expect(declared.filter((name) => !permitted.includes(name))).toEqual([]);
  });

  it('imports only what it declares', () => {
    const undeclared = new Set<string>();
    for (const file of sources(folder)) {
      for (const name of importsOf(file))
        if (!importable.includes(name)) undeclared.add(`${name} in ${file}`);
    }
    expect([...undeclared]).toEqual([]);
  });

  it('declares nothing that it does not import', () => {
    const imported = new Set(sources(folder).flatMap((file) => importsOf(file)));
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
    const readme = readFileSync(join(root, 'packages', folder, 'README.md'), 'utf8');
    expect(readme).toMatch(new RegExp(`^# @art/${folder}\n`));
    expect(readme).toMatch(/```/);
    expect(readme).toMatch(/^\| /m);
  });
});

it.each(published)('%s says where it comes from, and where to report what is wrong', (folder, manifest) => {
  const address = 'https://github.com/art-typescript/art';
  expect(manifest).toMatchObject({
    repository: { type: 'git', url: `git+${address}.git`, directory: `packages/${folder}` },
    homepage: `${address}/tree/main/packages/${folder}#readme`,
    bugs: { url: `${address}/issues` },
  });
});

it('source maps, which would be half of what is installed, are not built', () => {
  const options = packageBuild(['src/index.ts']) as { sourcemap?: unknown };
  const base = readFileSync(join(root, 'tsconfig.base.json'), 'utf8');
  expect(options.sourcemap).toBeUndefined();
  expect(base).not.toMatch(/declarationMap|sourceMap/);
  expect(
    published
      .map(([folder]) => readFileSync(join(root, 'packages', folder, 'tsup.config.ts'), 'utf8'))
      .join(),
  ).not.toMatch(/sourcemap/);
});

it('all public packages have one version', () => {
  expect(new Set(published.map(([, manifest]) => manifest.version)).size).toBe(1);
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
  expect(closure('store')).toEqual(new Set(['@art/protocol', 'typebox']));
});

it('meta-packages only re-export and supply defaults', () => {
  for (const [folder, mostLines] of [
    ['agent', 40],
    ['client', 60],
  ] as const) {
    // A list of what others make is no code, however long it is.
    const [lists, code] = [true, false].map((isList) =>
      sources(folder).filter((file) => file.endsWith('/index.ts') === isList),
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
  const deep = [...manifests].flatMap(([folder]) =>
    globSync(`packages/${folder}/src/**/*.ts`, { cwd: root }).flatMap((path) => {
      const own = join(root, 'packages', folder);
      return specifiersOf(join(root, path)).flatMap((specifier) => {
        const [, name = '', entry = ''] = /^@art\/([^/]+)(.*)$/.exec(specifier) ?? [];
        const isInside = specifier.startsWith('.')
          ? join(root, dirname(path), specifier).startsWith(`${own}/`)
          : name === '' || name.startsWith('example-') || `.${entry}` in (manifests.get(name)?.exports ?? {});
        return isInside ? [] : [`${path}: ${specifier}`];
      });
    }),
  );
  expect(deep).toEqual([]);
});

it.each([...published.map(([folder]) => folder), 'bench'])(
  'no folders and no files of %s import each other in a circle',
  (folder) => {
    const source = join(root, 'packages', folder, 'src');
    const files: [from: string, to: string][] = sources(folder).flatMap((file) =>
      specifiersOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => [file, resolve(dirname(file), specifier)] as [string, string]),
    );
    const folders = files
      .map(([from, to]) => [dirname(from), dirname(to)] as [string, string])
      // What lies in no folder is no stage: the list of exports, and what stands under everything.
      .filter(([from, to]) => from !== to && from !== source && to !== source);
    expect(inCircles(folders)).toEqual([]);
    expect(inCircles(files)).toEqual([]);
  },
);

it('no file is a grab-bag', () => {
  const grabBags = globSync('{packages,examples}/*/src/**/{util,utils,types,helpers,common,misc}.ts', {
    cwd: root,
  });
  expect(grabBags).toEqual([]);
});

function sources(folder: string): string[] {
  // What a page imports is in its bundle, and nobody installs it.
  return globSync(`packages/${folder}/src/**/*.ts`, { cwd: root })
    .filter((path) => !/\.(test|fixture)\.ts$|\/src\/page\//.test(path))
    .map((path) => join(root, path));
}

/** What comes back to itself along the arrows. */
function inCircles(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reached = (from: string, seen: Set<string> = new Set()): Set<string> => {
    for (const to of targets.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  return [...targets.keys()].filter((from) => reached(from).has(from));
}

/** What a file imports, statically or not, as it is written. */
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
    for (const dependency of Object.keys(manifests.get(name)?.dependencies ?? {})) {
      if (seen.has(dependency)) continue;
      seen.add(dependency);
      if (dependency.startsWith('@art/')) visit(dependency.slice('@art/'.length));
    }
  };
  visit(folder);
  return seen;
}
