import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceRoot } from './workspace-root.ts';

export { workspaceRoot } from './workspace-root.ts';

/** The members of a package.json that tests look at. */
export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  type?: string;
  license?: string;
  engines?: { node?: string };
  repository?: object;
  homepage?: string;
  bugs?: object;
  exports?: Record<string, string | Record<string, string>>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** A package of the workspace, and its place in the tree. */
export interface WorkspacePackage {
  /** Such as `rollout`: the folder's name, and the package's without `@art/`. */
  folder: string;
  /** Such as `tokens`, or `internal`. */
  wing: string;
  /** From the root of the workspace: `packages/tokens/gateway`. */
  path: string;
  manifest: Manifest;
}

/** Every package below `packages/`, by its folder. */
export const workspacePackages: ReadonlyMap<string, WorkspacePackage> = new Map(
  globSync('packages/*/*/package.json', { cwd: workspaceRoot })
    .toSorted()
    .map((file) => {
      const path = dirname(file);
      const [, wing = '', folder = ''] = path.split('/');
      const manifest = JSON.parse(readFileSync(join(workspaceRoot, file), 'utf8')) as Manifest;
      return [folder, { folder, wing, path, manifest }];
    }),
);

/** The packages that npm gets. */
export const publishedPackages: readonly WorkspacePackage[] = [...workspacePackages.values()].filter(
  ({ manifest }) => manifest.private !== true,
);

/** The package of that folder; throws where there is none. */
export function packageOf(folder: string): WorkspacePackage {
  const found = workspacePackages.get(folder);
  if (found === undefined) throw new Error(`No package of the workspace has the folder ${folder}.`);
  return found;
}
