import { type Task, testFile } from '../task.ts';
import { dependencies } from './dependencies.ts';
import { patterns } from './patterns.ts';
import type { Dependency, Piece } from './piece.ts';

export interface MadeTask {
  id: string;
  tags: string[];
  payload: Task;
  /** The files of a good migration, tests and dependency left out. Not sent to anybody. */
  solution: Record<string, string>;
}

/** How many patterns a package has. */
const levels = { easy: 1, medium: 2, hard: 4 };

/** Twelve packages, each with a dependency and some patterns of CommonJS. The same seed makes the same ones. */
export function makeTasks(seed = 1): MadeTask[] {
  const random = randomSource(seed);
  return Object.entries(levels).flatMap(([level, count], levelIndex) =>
    [0, 1, 2, 3].map((index) => {
      const number = levelIndex * 4 + index;
      const dependency = dependencies[number % dependencies.length]!;
      const chosen = patterns
        .map((pattern) => ({ pattern, order: random() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, count)
        .map(({ pattern }) => pattern);
      return makeTask(`small-${number + 1}`, level, dependency, chosen);
    }),
  );
}

function makeTask(id: string, level: string, dependency: Dependency, chosen: readonly Piece[]): MadeTask {
  const pieces = [dependency, ...chosen];
  const files = (when: 'before' | 'after'): Record<string, string> => ({
    'package.json': manifest(id, dependency.name, when),
    'index.js': `${pieces.map(({ index }) => index[when]).join('\n')}\n`,
    ...Object.fromEntries(
      pieces.flatMap((piece) =>
        Object.entries(piece.files).map(([path, text]) => [path, text[when] ?? text.before]),
      ),
    ),
  });
  const tests = pieces.map(({ name, test }) => `test('${name}', () => {\n  ${test}\n});\n`);
  const installed = Object.entries({
    'package.json': `${JSON.stringify({ name: dependency.name, version: '2.0.0', type: 'module', exports: './index.js' })}\n`,
    ...dependency.installed,
  }).map(([path, text]) => [`node_modules/${dependency.name}/${path}`, text]);
  return {
    id,
    tags: [level, dependency.name, ...chosen.map(({ name }) => name)],
    payload: {
      name: id,
      files: {
        ...files('before'),
        [testFile]: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport * as pkg from '../index.js';\n\n${tests.join('\n')}`,
        ...(Object.fromEntries(installed) as Record<string, string>),
      },
      probes: pieces.flatMap(({ probes }) => probes),
    },
    solution: files('after'),
  };
}

function manifest(name: string, dependency: string, when: 'before' | 'after'): string {
  const isAfter = when === 'after';
  return `${JSON.stringify(
    {
      name,
      version: '1.4.0',
      ...(isAfter && { type: 'module' }),
      [isAfter ? 'exports' : 'main']: './index.js',
      dependencies: { [dependency]: isAfter ? '^2.0.0' : '^1.3.0' },
    },
    null,
    2,
  )}\n`;
}

/** mulberry32: numbers from 0 to 1 that look random. */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
