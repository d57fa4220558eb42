import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { InfrastructureError } from '@art/agent';

/** Files by their path, with `/` on every system. */
export type Files = Readonly<Record<string, string>>;

/** What does not fit is no migration, and must not fill the disk or a result. */
const mostFiles = 200;
const mostBytes = 1_000_000;

export class PathOutside extends Error {
  override readonly name = 'PathOutside';
}

/** A copy of a package in a temporary folder, until `close()`. */
export class Workspace {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws InfrastructureError where the disk does not take it */
  static async open(files: Files): Promise<Workspace> {
    let workspace: Workspace | undefined;
    try {
      // Through links, as /tmp on macOS is one: paths are compared.
      workspace = new Workspace(await realpath(await mkdtemp(join(tmpdir(), 'migration-'))));
      for (const [path, text] of Object.entries(files)) await workspace.write(path, text);
      return workspace;
    } catch (cause) {
      await workspace?.close();
      if (cause instanceof PathOutside) throw cause;
      throw new InfrastructureError('The working copy cannot be written.', { cause });
    }
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

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
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
