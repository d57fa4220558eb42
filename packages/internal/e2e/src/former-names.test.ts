import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspacePackages, workspaceRoot } from './workspace-packages.ts';

/** Packages that have moved into others. Only the migration note names them, and this table. */
const former = [
  'async',
  'demo',
  'faults',
  'health',
  'invoke-redis',
  'json-bytes',
  'local-s3',
  'model-wires',
  'reach',
  'sagemaker',
  'server-ping-thread',
  'store-s3-events',
  'telemetry',
];
const notes = ['.changeset/nine-wings.md', 'packages/internal/e2e/src/former-names.test.ts'];

it('no file names a package that there is no more', () => {
  // A folder of a package stands in a wing, and no longer in `packages/` itself.
  const wings = new Set([...workspacePackages.values()].map(({ wing }) => wing));
  const places = [...workspacePackages.keys(), ...former].filter((folder) => !wings.has(folder));
  const names = new RegExp(
    `@art/(?:${former.join('|')})(?![\\w-])|packages/(?:${places.join('|')})(?![\\w-])`,
    'g',
  );
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: workspaceRoot,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => /\.(tsx?|mjs|json|md|ya?ml|py|svg)$|^\.ci\//.test(path))
    .filter((path) => !notes.includes(path) && !path.endsWith('CHANGELOG.md'));
  expect(files.length).toBeGreaterThan(2_000);
  const found = files.flatMap((path) => {
    const text = readOrNothing(join(workspaceRoot, path));
    return [...new Set(Array.from(text.matchAll(names), ([name]) => `${path}: ${name}`))];
  });
  expect(found).toEqual([]);
});

/** A file that git lists and that was removed a moment ago has no text. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
