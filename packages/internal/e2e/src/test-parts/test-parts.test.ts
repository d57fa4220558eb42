import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manifest, workspaceRoot } from '../workspace-packages.ts';
import { partInputs } from './part-inputs.ts';

const own = 'packages/internal/e2e';
const read = (path: string): unknown => JSON.parse(readFileSync(join(workspaceRoot, path), 'utf8'));
const { scripts = {} } = read(`${own}/package.json`) as Manifest;
const { tasks } = read(`${own}/turbo.json`) as {
  tasks: Record<string, { inputs?: string[]; outputs?: string[] }>;
};

const files = globSync('src/**/*.test.ts', { cwd: join(workspaceRoot, own) }).toSorted();
/** By the name of the part: parts of names of files, as Vitest takes them. */
const parts = Object.entries(scripts).flatMap(([script, command]) => {
  const [, part, filters = ''] = /^ART_TEST_PART=(\S+) vitest run (.+)$/.exec(command) ?? [];
  return part === undefined ? [] : [{ part, script, filters: filters.split(' ') }];
});
const filesOf = (filters: readonly string[]): string[] =>
  files.filter((file) => filters.some((filter) => file.includes(filter)));

it('every file of tests is in one part', () => {
  const placed = parts.flatMap(({ filters }) => filesOf(filters));
  expect(placed.toSorted()).toEqual(files);
});

it('pnpm peers runs when what they read has changed', () => {
  const peers = globSync(`${own}/src/**/*.peer.ts`, { cwd: workspaceRoot }).toSorted();
  expect(tasks['test:peers']!.inputs).toEqual(partInputs(peers, 'vitest.peers.config.ts'));
});

it('npm test runs every part', () => {
  const { scripts: ofRoot = {} } = read('package.json') as Manifest;
  const run = /turbo run (.+?) --/.exec(ofRoot['check']!)![1]!.split(' ');
  expect(run.filter((task) => task.startsWith('test:')).toSorted()).toEqual(
    parts.map(({ script }) => script).toSorted(),
  );
});

describe.each(parts)('$part', ({ part, script, filters }) => {
  it('names no tests that are not there', () => {
    expect(script).toBe(`test:${part}`);
    expect(filters.filter((filter) => filesOf([filter]).length === 0)).toEqual([]);
  });

  // What is missing here would leave a test unrun after a change that breaks it; what is idle runs it for nothing.
  it('has what its tests read for inputs, and leaves its own report', () => {
    const tests = filesOf(filters).map((file) => `${own}/${file}`);
    expect(tasks[script]).toMatchObject({
      inputs: partInputs(tests),
      outputs: [`.test-report.${part}.json`],
      env: expect.arrayContaining(['ART_MACHINE_PARTS', 'ART_THOROUGH']),
    });
  });
});
