import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { InfrastructureError } from '@art/agent';

/** Files by their path, with `/` on every system. */
export type Files = Readonly<Record<string, string>>;

/** Bounds of a migration. More must not fill the disk or a result. */
const mostFiles = 200;
const mostBytes = 1_000_000;

export class PathOutside extends Error {
  override readonly name = 'PathOutside';
}

/**
 * Lends a copy of a package in a temporary folder. It is removed however `work` ends, also when it throws because the session is
 * stopped.
 * @throws InfrastructureError where the disk does not take it
 */
export async function withWorkspace<Value>(
  files: Files,
  work: (workspace: Workspace) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-')).catch(cannotWrite);
  try {
    // Through links, as /tmp on macOS is one: paths are compared.
    const workspace = new Workspace(await realpath(folder));
    for (const [path, text] of Object.entries(files))
      await workspace
        .write(path, text)
        .catch((cause: unknown) =>
          cause instanceof PathOutside ? Promise.reject(cause) : cannotWrite(cause),
        );
    return await work(workspace);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function cannotWrite(cause: unknown): never {
  throw new InfrastructureError('The working copy cannot be written.', { cause });
}

/** A folder with the files of a package, and no way out of it. */
export class Workspace {
  readonly folder: string;

  /** @param folder without links on the way */
  constructor(folder: string) {
    this.folder = folder;
  }

  async read(path: string): Promise<string> {
    return readFile(await this.#inside(path), 'utf8');
  }

  async write(path: string, text: string): Promise<void> {
    const file = await this.#inside(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  async remove(path: string): Promise<void> {
    await rm(await this.#inside(path));
  }

  /** All files as they are now; undefined where there are too many, or too large ones. */
  async files(): Promise<Files | undefined> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    if (paths.length > mostFiles) return undefined;
    const files: Record<string, string> = {};
    let bytes = 0;
    for (const path of paths.toSorted()) {
      bytes += (await stat(path)).size;
      if (bytes > mostBytes) return undefined;
      files[relative(this.folder, path).split(sep).join('/')] = await readFile(path, 'utf8');
    }
    return files;
  }

  /** @throws PathOutside also where a link on the way leads out */
  async #inside(path: string): Promise<string> {
    const file = resolve(this.folder, path);
    for (let parent = file; ; parent = dirname(parent)) {
      const real = await realpath(parent).catch(() => undefined);
      if (real === undefined && parent.startsWith(this.folder + sep)) continue;
      if (real === this.folder || real?.startsWith(this.folder + sep) === true) return file;
      throw new PathOutside(`"${path}" is not in the package`);
    }
  }
}
