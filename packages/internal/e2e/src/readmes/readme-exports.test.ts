import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageOf } from '../workspace-packages.ts';
import { workspaceRoot } from './readme.ts';

const folders = globSync('packages/*/*/src/index.ts', { cwd: workspaceRoot })
  .map((path) => dirname(dirname(path)))
  .filter((folder) => manifestOf(folder).private !== true);
const reference = globSync('packages/internal/docs/reference/*.md', { cwd: workspaceRoot });

it.each(folders)('every function, class and constant that %s exports is in its documentation', (folder) => {
  const index = readFileSync(join(workspaceRoot, folder, 'src/index.ts'), 'utf8');
  const names = [...index.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap((match) => match[1]!.split(','))
    .map((name) => name.trim().split(' ').at(-1)!)
    .filter((name) => name !== '');
  const types = new Set([...index.matchAll(/\btype (\w+)/g)].map((match) => match[1]!));
  // What is passed on is described where it comes from.
  const own = Object.keys(manifestOf(folder).dependencies ?? {}).filter((name) => name.startsWith('@art/'));
  const documented = [folder, ...own.map((name) => packageOf(name.slice('@art/'.length)).path)]
    .flatMap((place) => globSync(`${place}/README.md`, { cwd: workspaceRoot }))
    .concat(reference)
    .map((path) => readFileSync(join(workspaceRoot, path), 'utf8'))
    .join('\n');
  const missing = names.filter((name) => !types.has(name) && !new RegExp(`\\b${name}\\b`).test(documented));
  expect(missing).toEqual([]);
});

function manifestOf(folder: string): { private?: boolean; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8')) as {
    private?: boolean;
    dependencies?: Record<string, string>;
  };
}
