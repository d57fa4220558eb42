import { refuseData } from '@art/ground';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataFiles, digestOfFiles } from './data-files.ts';
import type { PlacedTask } from './placed-task.ts';
import { dataFormats, isDataFile, readRows } from './read-rows.ts';
import { type TaskColumns, taskOfRow } from './task-columns.ts';
import type { TaskInput } from './task.ts';

/** How the data at a path is read. */
export interface DataOptions {
  /** Names of a task by those of the data. @default as they are */
  columns?: TaskColumns | undefined;
  /** Part of a data set that is a folder. @default all of it, where it has one part */
  split?: string | undefined;
}

/** Source that a path of tasks leads to. */
export interface TaskFile {
  open: () => AsyncIterable<TaskInput> | Iterable<TaskInput>;
  /** True if it can be read more than once. */
  isRepeatable?: boolean;
  /** SHA-256 of the data; undefined for a module. */
  sha256?: string;
}

const modules = new Set(['.ts', '.mts', '.js', '.mjs']);

/**
 * Finds out what a path is: a file of data, a folder of them, or a module whose default export can be iterated.
 * @throws ArtError `ART_INVALID_OPTION` for what cannot be read, `ART_INVALID_PAYLOAD` for what is no task, when it is met
 */
export async function openTaskFile(path: string, { columns, split }: DataOptions = {}): Promise<TaskFile> {
  const files = await dataFiles(path, split);
  const [{ file }] = files as [(typeof files)[0]];
  if (modules.has(extname(file).toLowerCase())) return { open: await ofModule(file) };
  if (!isDataFile(file))
    refuseData(`tasks in a ${dataFormats} file, a folder of these, or a module (.ts, .js)`, path);
  async function* open(): AsyncGenerator<PlacedTask, void, undefined> {
    for (const { file: one, prefix } of files)
      for await (const row of readRows(one, prefix)) yield taskOfRow(row, columns);
  }
  return { open, isRepeatable: true, sha256: await digestOfFiles(files) };
}

async function ofModule(file: string): Promise<TaskFile['open']> {
  const loaded = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
  const exported = loaded.default;
  if (typeof exported === 'function') return exported as TaskFile['open'];
  const isIterable = typeof exported === 'object' && exported !== null;
  if (!isIterable || !(Symbol.iterator in exported || Symbol.asyncIterator in exported))
    refuseData(
      'a module whose default export is a list, an async iterable or a function that makes one',
      file,
    );
  return () => exported as Iterable<TaskInput>;
}
