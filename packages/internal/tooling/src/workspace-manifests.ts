import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const workspaceRoot = join(import.meta.dirname, '../../../..');

/** Members that are read here of a `package.json`. */
interface Manifest {
  name: string;
  scripts: Readonly<Record<string, string>>;
}

/** The manifests of all members of the workspace, each with its folder below the root. */
export function workspaceManifests(): { folder: string; manifest: Manifest }[] {
  return globSync('{packages/*,examples}/*/package.json', { cwd: workspaceRoot })
    .toSorted()
    .map((path) => ({
      folder: dirname(path),
      manifest: {
        scripts: {},
        ...(JSON.parse(readFileSync(join(workspaceRoot, path), 'utf8')) as { name: string }),
      },
    }));
}
