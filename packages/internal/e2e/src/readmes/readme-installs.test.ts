import { dirname, join } from 'node:path';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { argumentsOf, commandLines } from './command-lines.ts';
import { readReadmes, workspaceRoot } from './readme.ts';

const readmes = readReadmes().filter(({ path }) => /^packages\/[^/]+\/[^/]+\/README\.md$/.test(path));

it.each(readmes.map((readme) => [readme.path, readme] as const))(
  'whoever follows %s has installed what its examples import',
  (path, readme) => {
    const { name } = JSON.parse(readFileSync(join(workspaceRoot, dirname(path), 'package.json'), 'utf8')) as {
      name: string;
    };
    const installed = commandLines(readme).flatMap((line) => {
      const [verb, ...rest] = argumentsOf('npm', line) ?? [];
      return verb === 'install' ? rest : [];
    });
    const imported = readme.fences.flatMap(({ lines }) =>
      lines.flatMap((line) =>
        [...line.matchAll(/(?:^import|from) '((?:@[\w-]+\/)?[\w-]+)/g)].map((match) => match[1]!),
      ),
    );
    const missing = imported.filter(
      (module) => module !== name && module !== 'node' && !installed.includes(module),
    );
    expect(missing).toEqual([]);
  },
);

it('nothing tells anybody to let npx fetch the unrelated package named art', () => {
  const files = globSync('{README.md,.github/**/*.md,{packages/*,examples}/*/{*.md,src/**/*.{ts,mjs,py}}}', {
    cwd: workspaceRoot,
  });
  expect(files.length).toBeGreaterThan(500);
  const fetching = /\b(npx|npm (exec|x))( +-\S+)* +(@art\/cli|art)\b/g;
  const wrong = files.flatMap((path) =>
    [...readFileSync(join(workspaceRoot, path), 'utf8').matchAll(fetching)]
      .map(([command]) => command)
      .filter((command) => !command.startsWith('npx --no-install '))
      .map((command) => `${path}: ${command}`),
  );
  expect(wrong).toEqual([]);
});

it('whoever is told to run art by npx was told before how to install it', () => {
  const runs = readReadmes().flatMap((readme) => {
    const lines = commandLines(readme);
    // What an example's own package.json lists, the install of this workspace has brought.
    const installedAt = listsTheCommand(readme.path)
      ? 0
      : lines.find((line) => bringsTheCommand(argumentsOf('npm', line) ?? []))?.line;
    return lines
      .filter((line) => line.words[0] === 'npx' && argumentsOf('art', line) !== undefined)
      .map((line) => ({
        where: `${readme.path}:${line.line}`,
        isTold: (installedAt ?? Infinity) < line.line,
      }));
  });
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.filter(({ isTold }) => !isTold)).toEqual([]);
});

/** A new project lists it. */
function bringsTheCommand([verb, ...words]: readonly string[]): boolean {
  // In a clone of this workspace everything is linked.
  if (verb === 'run') return words.includes('setup');
  return words.includes(verb === 'create' ? '@art/agent' : '@art/cli');
}

function listsTheCommand(path: string): boolean {
  const manifest = join(workspaceRoot, dirname(path), 'package.json');
  return path.startsWith('examples/') && readFileSync(manifest, 'utf8').includes('"@art/cli"');
}
