import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceManifests, workspaceRoot } from './workspace-manifests.ts';

const manifests = workspaceManifests();

it('finds every member that pnpm knows', () => {
  const patterns = readFileSync(join(workspaceRoot, 'pnpm-workspace.yaml'), 'utf8').matchAll(
    /^ {2}- (\S+)$/gm,
  );
  const members = globSync(
    [...patterns].map(([, pattern]) => `${pattern}/package.json`),
    { cwd: workspaceRoot },
  );
  expect(manifests.map(({ folder }) => `${folder}/package.json`)).toEqual(members.toSorted());
});

it('finds what runs against real engines', () => {
  const folders = manifests
    .filter(({ manifest }) => 'engines' in manifest.scripts)
    .map(({ folder }) => folder);
  expect(folders).toEqual(['examples/learn', 'examples/trainers', 'packages/internal/e2e']);
});
