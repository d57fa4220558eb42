import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { argumentsOf, commandLines } from './command-lines.ts';
import { readReadmes, workspaceRoot } from './readme.ts';

const readmes = readReadmes().filter((readme) => readme.path.startsWith('packages/'));

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
