import { once } from 'node:events';
import { relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import type { WatchChoice } from '../commands/dev-command.ts';
import { isSourcePath } from './watch-filter.ts';

export interface WatchFilesOptions {
  choice: WatchChoice;
  cwd: string;
  /** Folders that `art dev` itself writes to. */
  ignored: readonly string[];
  /** Told of each changed file, relative to `cwd`. */
  onChange: (file: string) => void;
  /** Told when the system cannot watch any more; files may change unnoticed from then on. */
  onError: (error: unknown) => void;
}

/** A watch over files. */
export interface FileWatch {
  /** What is watched, for people. */
  readonly watching: string[];
  close(): Promise<void>;
}

/** Watches files; resolves when every later change will be noticed. */
export async function watchFiles(options: WatchFilesOptions): Promise<FileWatch> {
  const { choice, cwd } = options;
  if (choice.kind === 'off') return { watching: [], close: async () => {} };
  const roots = choice.kind === 'sources' ? [cwd] : choice.paths.map((path) => resolve(cwd, path));
  const own = options.ignored.map((path) => resolve(cwd, path));
  const watcher = watch(roots, {
    ignoreInitial: true,
    ignored: (path, stats) =>
      own.some((folder) => path === folder || path.startsWith(folder + sep)) ||
      // What is named is watched whole; only by default is there something to choose.
      (choice.kind === 'sources' && !isSourcePath(cwd, path, stats?.isFile())),
  });
  watcher.on('all', (_event, path) => options.onChange(relative(cwd, path) || path));
  const ready = once(watcher, 'ready');
  watcher.on('error', options.onError);
  // Where the first scan fails 'ready' may never come; the watch is then as good as it gets.
  await ready.catch(() => undefined);
  return {
    watching: choice.kind === 'sources' ? ['sources below the current folder'] : [...choice.paths],
    close: () => watcher.close(),
  };
}
