import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './readme.ts';

/** Packages whose pages leave something out. One that is complete is taken off. */
const incomplete = ['client', 'eval', 'gateway', 'rollout'];

const folders = globSync('packages/*/src/index.ts', { cwd: workspaceRoot })
  .map((path) => dirname(dirname(path)))
  .filter((folder) => manifestOf(folder).private !== true && !incomplete.includes(folder.split('/').at(-1)!));

it.each(folders)('every function, class and constant that %s exports is in its documentation', (folder) => {
  const index = readFileSync(join(workspaceRoot, folder, 'src/index.ts'), 'utf8');
  const names = [...index.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap((match) => match[1]!.split(','))
    .map((name) => name.trim().split(' ').at(-1)!)
    .filter((name) => name !== '');
  const types = new Set([...index.matchAll(/\btype (\w+)/g)].map((match) => match[1]!));
  // What is passed on is described where it comes from.
  const own = Object.keys(manifestOf(folder).dependencies ?? {}).filter((name) => name.startsWith('@art/'));
  const documented = [folder, ...own.map((name) => join('packages', name.slice('@art/'.length)))]
    .flatMap((place) => globSync(`${place}/{README.md,docs/*.md}`, { cwd: workspaceRoot }))
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
