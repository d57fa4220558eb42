import { once } from 'node:events';
import { relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import { isSourcePath } from './watch-filter.ts';

export interface WatchFilesOptions {
  /** Files and folders; false for none. @default the sources below `cwd` */
  paths: readonly string[] | false | undefined;
  cwd: string;
  /** Folders that `art dev` itself writes to. */
  ignored: readonly string[];
  /** Called with each changed file, relative to `cwd`. */
  onChange: (file: string) => void;
  /** Called when the system cannot watch any more; files may change unnoticed from then on. */
  onError: (error: unknown) => void;
}

/** A watch over files. */
export interface FileWatch {
  /** Paths that are watched, for people. */
  readonly watching: string[];
  close(): Promise<void>;
}

/** Watches files; resolves when every later change will be noticed. */
export async function watchFiles(options: WatchFilesOptions): Promise<FileWatch> {
  const { paths, cwd } = options;
  if (paths === false) return { watching: [], close: async () => {} };
  const roots = paths === undefined ? [cwd] : paths.map((path) => resolve(cwd, path));
  const own = options.ignored.map((path) => resolve(cwd, path));
  const watcher = watch(roots, {
    ignoreInitial: true,
    ignored: (path, stats) =>
      own.some((folder) => path === folder || path.startsWith(folder + sep)) ||
      // What is named is watched whole; only by default is there something to choose.
      (paths === undefined && !isSourcePath(cwd, path, stats?.isFile())),
  });
  watcher.on('all', (_event, path) => options.onChange(relative(cwd, path) || path));
  const ready = once(watcher, 'ready');
  watcher.on('error', options.onError);
  // Where the first scan fails 'ready' may never come; the watch is then as good as it gets.
  await ready.catch(() => undefined);
  return {
    watching: paths === undefined ? ['sources below the current folder'] : [...paths],
    close: () => watcher.close(),
  };
}
