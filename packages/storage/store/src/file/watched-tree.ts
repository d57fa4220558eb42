import { watch, type FSWatcher, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { undefinedIfNotThere } from './file-failure.ts';
import { keyOfFile, roleOfChild, type DirectoryRole } from './watched-directory.ts';

export interface WatchedTreeOptions {
  prefix: string;
  onKey: (key: string) => void;
  maxWatchedDirectories: number;
}

interface WatchedNode {
  role: DirectoryRole;
  /** Tells a directory from a later one of the same name, even where the inode number is used again. */
  identity: string;
  source: { kind: 'events'; watcher: FSWatcher } | { kind: 'poll' };
  /** Time stamp of the directory when its names were last read, and when that was. */
  changedMs: number;
  readAtMs: number;
  files: Set<string>;
  children: Map<string, DirectoryRole>;
}

// Within this time a directory may have changed again without a new time stamp.
const settledMs = 1_500;

/**
 * The directories of one watch. Every directory has a watcher of its own: Node's recursive mode watches each file
 * separately on Linux, which uses up the system's limit, and misses files in directories that have just been made.
 * Here a new directory is watched first and read afterwards, so nothing falls in between.
 */
export class WatchedTree {
  readonly #options: WatchedTreeOptions;
  readonly #nodes = new Map<string, WatchedNode>();
  #eventSources = 0;
  #isClosed = false;

  constructor(options: WatchedTreeOptions) {
    this.#options = options;
  }

  /**
   * Looks through a directory and those below it, and has the system watch what is new. A directory whose time stamp has
   * not changed is not read again. Calls `onKey` for files not seen before, unless `silent`.
   */
  async visit(
    path: string,
    role: DirectoryRole,
    look: { silent: boolean; signal?: AbortSignal | undefined },
  ): Promise<void> {
    look.signal?.throwIfAborted();
    const found = await lstat(path).catch(undefinedIfNotThere);
    if (this.#isClosed) return;
    if (found === undefined || !found.isDirectory()) return this.#forget(path);
    const node = this.#node(path, role, found);
    if (found.mtimeMs !== node.changedMs || node.readAtMs - node.changedMs < settledMs) {
      node.changedMs = found.mtimeMs;
      // The wall clock: it is compared with the time stamps of directories.
      node.readAtMs = Date.now();
      await this.#readNames(path, node, look.silent);
    }
    for (const [name, childRole] of node.children) {
      if (this.#isClosed) return;
      await this.visit(join(path, name), childRole, look);
    }
  }

  /** Ends every watcher; `onKey` is not called again. */
  close(): void {
    this.#isClosed = true;
    for (const path of this.#nodes.keys()) this.#drop(path);
  }

  #node(path: string, role: DirectoryRole, found: Stats): WatchedNode {
    const identity = `${found.dev}:${found.ino}:${found.birthtimeMs}`;
    const known = this.#nodes.get(path);
    if (known?.identity === identity) return known;
    if (known !== undefined) this.#forget(path);
    const node: WatchedNode = {
      role,
      identity,
      source: { kind: 'poll' },
      changedMs: Number.NaN,
      readAtMs: 0,
      files: new Set(),
      children: new Map(),
    };
    this.#nodes.set(path, node);
    this.#watch(path, node);
    return node;
  }

  #watch(path: string, node: WatchedNode): void {
    if (this.#eventSources >= this.#options.maxWatchedDirectories) return;
    try {
      const watcher = watch(path, (event, name) => {
        // Results appear by link and rename; `change` only tells of their link count.
        if (event === 'rename') void this.#onEvent(path, node, name).catch(leaveToPoll);
      });
      watcher.on('error', () => this.#watchFailed(node));
      node.source = { kind: 'events', watcher };
      this.#eventSources += 1;
    } catch {
      // The system's limit is reached or the file system sends no events: polling covers this directory.
    }
  }

  #watchFailed(node: WatchedNode): void {
    if (node.source.kind === 'poll') return;
    node.source.watcher.close();
    node.source = { kind: 'poll' };
    this.#eventSources -= 1;
  }

  async #onEvent(path: string, node: WatchedNode, name: string | null): Promise<void> {
    if (name === null) {
      node.changedMs = Number.NaN;
      return this.visit(path, node.role, { silent: false });
    }
    const key = keyOfFile(node.role, name, this.#options.prefix);
    const childRole = roleOfChild(node.role, name, this.#options.prefix);
    if (key === undefined && childRole === undefined) return;
    const found = await lstat(join(path, name)).catch(undefinedIfNotThere);
    if (this.#isClosed) return;
    if (found === undefined) {
      node.files.delete(name);
      node.children.delete(name);
      this.#forget(join(path, name));
    } else if (found.isFile() && key !== undefined) {
      node.files.add(name);
      this.#options.onKey(key);
    } else if (found.isDirectory() && childRole !== undefined) {
      node.children.set(name, childRole);
      await this.visit(join(path, name), childRole, { silent: false });
    }
  }

  async #readNames(path: string, node: WatchedNode, silent: boolean): Promise<void> {
    const entries = (await readdir(path, { withFileTypes: true }).catch(undefinedIfNotThere)) ?? [];
    if (this.#isClosed) return;
    const { prefix, onKey } = this.#options;
    const files = new Set<string>();
    const children = new Map<string, DirectoryRole>();
    for (const entry of entries) {
      if (entry.isFile()) {
        const key = keyOfFile(node.role, entry.name, prefix);
        if (key === undefined) continue;
        files.add(entry.name);
        if (!silent && !node.files.has(entry.name)) onKey(key);
      } else if (entry.isDirectory()) {
        const role = roleOfChild(node.role, entry.name, prefix);
        if (role !== undefined) children.set(entry.name, role);
      }
    }
    node.files = files;
    node.children = children;
  }

  #forget(path: string): void {
    this.#drop(path);
    for (const below of this.#nodes.keys()) {
      if (below.startsWith(path + sep)) this.#drop(below);
    }
  }

  #drop(path: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined) return;
    this.#watchFailed(node);
    this.#nodes.delete(path);
  }
}

function leaveToPoll(): void {
  // The next look through the tree meets the same trouble or finds it gone.
}
