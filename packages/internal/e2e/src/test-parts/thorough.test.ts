import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from '../workspace-packages.ts';

const read = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8');
const here = 'packages/internal/e2e/src/test-parts';
const files = globSync('{packages/*,examples}/*/src/**/*.{ts,tsx}', { cwd: workspaceRoot })
  .filter((path) => !path.startsWith(here))
  .map((path) => ({ path, text: read(path) }));

/** A test, or all of its inputs, that `npm test` would leave out: every test is in it, with fewer inputs or with all. */
const alone =
  /\b(?:run|skip)If\([^)]*isThorough|\bif \(!?isThorough\)|isThorough \? [^:;]+ : \[\]|&& isThorough/;

it('no test is in pnpm thorough alone', () => {
  const users = files.filter(({ text }) => text.includes("'@art/tooling/thorough'"));
  expect(users.length).toBeGreaterThan(10);
  expect(users.filter(({ text }) => alone.test(text)).map(({ path }) => path)).toEqual([]);
});

it.each([
  "it.runIf(isThorough)('x', run);",
  "describe.skipIf(isMissing || !isThorough)('x', run);",
  'if (!isThorough) return;',
  'it.each(isThorough ? names : [])',
])('such as %s', (text) => {
  expect(text).toMatch(alone);
});

it('nothing else says what a test leaves out', () => {
  const name = 'ART_THOROUGH';
  const readers = files.filter(({ text }) => text.includes(`'${name}'`)).map(({ path }) => path);
  const own = ['thorough.test.ts', 'thorough.ts'].map((file) => `packages/internal/tooling/src/${file}`);
  expect(readers.toSorted()).toEqual(own);
  const { tasks } = JSON.parse(read('turbo.json')) as { tasks: Record<string, { env?: string[] }> };
  expect(tasks['test']!.env).toContain(name);
});
