import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeVersionProblem } from './node-version.ts';

it.each([
  ['20.20.2', false],
  ['22.18.9', false],
  ['22.19.0', true],
  ['23.0.0', true],
  ['26.10.0', true],
])('Node %s is enough: %s', (version, isEnough) => {
  expect(nodeVersionProblem(version) === undefined).toBe(isEnough);
});

it('agrees with the manifest', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    engines: { node: string };
  };
  expect(nodeVersionProblem('0.0.0')).toContain(`Node ${manifest.engines.node.replace('>=', '')} or newer`);
});
