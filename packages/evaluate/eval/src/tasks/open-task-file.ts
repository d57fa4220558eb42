import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArtError, decodeText, parseJson, readTextLines } from '@art/ground';
import { parse as parseCsv } from 'csv-parse';
import { PlacedTask } from './placed-task.ts';
import type { TaskInput } from './task.ts';

/** What a path of tasks leads to. */
export interface TaskFile {
  open: () => AsyncIterable<TaskInput> | Iterable<TaskInput>;
  /** Whether it can be read more than once. */
  isRepeatable?: boolean;
}

const modules = new Set(['.ts', '.mts', '.js', '.mjs']);

/**
 * Finds out what a path is: JSON lines (`.jsonl`, `.ndjson`, or `.json` with a list), CSV with a header, a folder of such files, or
 * a module whose default export can be iterated.
 * @throws ArtError `ART_INVALID_OPTION` for what cannot be read, `ART_INVALID_PAYLOAD` for what is no task, when it is met
 */
export async function openTaskFile(path: string): Promise<TaskFile> {
  const file = resolve(path);
  const found = await stat(file).catch((cause: Error) =>
    refuse(`a file that can be read`, cause.message, cause),
  );
  if (found.isDirectory()) return { open: () => ofFolder(file), isRepeatable: true };
  const extension = extname(file).toLowerCase();
  if (modules.has(extension)) return { open: await ofModule(file) };
  if (readers[extension] === undefined)
    refuse('tasks in a .jsonl, .json or .csv file, a folder of these, or a module (.ts, .js)', path);
  return { open: () => readers[extension]!(file), isRepeatable: true };
}

/** @param prefix of the names of tasks that have none but their number */
type ReadFile = (file: string, prefix?: string) => AsyncGenerator<PlacedTask, void, undefined>;

const readers: Record<string, ReadFile> = {
  '.jsonl': ofLines,
  '.ndjson': ofLines,
  '.json': ofJson,
  '.csv': ofCsv,
};

/** Files in the order of their names; a task without an id is called after its file. */
async function* ofFolder(folder: string): AsyncGenerator<PlacedTask, void, undefined> {
  const names = (await readdir(folder)).filter((name) => readers[extname(name).toLowerCase()] !== undefined);
  if (names.length === 0) refuse('a folder with .json, .jsonl or .csv files', folder);
  for (const name of names.toSorted())
    yield* readers[extname(name).toLowerCase()]!(join(folder, name), `${name}:`);
}

async function* ofLines(file: string, prefix = ''): AsyncGenerator<PlacedTask, void, undefined> {
  const input = createReadStream(file);
  const name = basename(file);
  try {
    for await (const { text, number } of readTextLines(input, name)) {
      if (text.trim() === '') continue;
      const place = `${name}, line ${number}`;
      yield new PlacedTask(parsed(text.trim(), place), `${prefix}${number}`, place);
    }
  } finally {
    input.destroy();
  }
}

async function* ofJson(file: string, prefix = ''): AsyncGenerator<PlacedTask, void, undefined> {
  const name = basename(file);
  const value = parsed((await wholeText(file)).trim(), name);
  const stem = basename(file, extname(file));
  if (!Array.isArray(value)) yield new PlacedTask(value, stem, name);
  else
    for (const [at, item] of value.entries())
      yield new PlacedTask(item, `${prefix}${at + 1}`, `${name}, item ${at + 1}`);
}

/** The whole of a file that is UTF-8. */
async function wholeText(file: string): Promise<string> {
  return (await Array.fromAsync(decodeText(createReadStream(file), basename(file)))).join('');
}

/**
 * Reads CSV with a header line, separated by commas, semicolons or tabs: `id`, `tags` (separated by `;`) and `expected` are the
 * task's, the other columns are its payload, as texts.
 */
async function* ofCsv(file: string, prefix = ''): AsyncGenerator<PlacedTask, void, undefined> {
  const name = basename(file);
  const text = await wholeText(file);
  const parser = parseCsv(text, {
    columns: (header: string[]) => distinctColumns(header, name),
    delimiter: delimiterOf(text),
    skip_empty_lines: true,
    relax_column_count: false,
  });
  let number = 0;
  try {
    for await (const row of parser as AsyncIterable<Record<string, string>>) {
      number += 1;
      const { id, tags, expected, payload, ...rest } = row;
      const place = `${name}, row ${number}`;
      const value = {
        id: id === '' ? undefined : id,
        tags: tags?.split(';').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])),
        // An empty cell says nothing.
        expected: expected === '' ? undefined : expected,
        payload: payload === undefined ? rest : parsed(payload, place),
      };
      yield new PlacedTask(value, `${prefix}${number}`, place);
    }
  } catch (cause) {
    if (ArtError.isInstance(cause)) throw cause;
    refuse('CSV with a header line', `${name}: ${(cause as Error).message}`, cause);
  } finally {
    parser.destroy();
  }
}

/** The separator of a header line: the one of `,`, `;` and tab that stands in it most often outside of quotes. */
function delimiterOf(text: string): string {
  const header = /^(?:"(?:[^"]|"")*"|[^"\n])*/.exec(text)![0].replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => [header.split(mark).length, mark] as const);
  return counts.toSorted(([first], [second]) => second - first)[0]![1];
}

function distinctColumns(header: string[], file: string): string[] {
  const twice = header.find((column, at) => header.indexOf(column) !== at);
  if (twice !== undefined)
    refuse('columns with different names', `${file} with two columns ${JSON.stringify(twice)}`);
  return header;
}

async function ofModule(file: string): Promise<TaskFile['open']> {
  const loaded = (await import(pathToFileURL(file).href)) as { default?: unknown };
  const exported = loaded.default;
  if (typeof exported === 'function') return exported as TaskFile['open'];
  const isIterable = typeof exported === 'object' && exported !== null;
  if (!isIterable || !(Symbol.iterator in exported || Symbol.asyncIterator in exported))
    refuse('a module whose default export is a list, an async iterable or a function that makes one', file);
  return () => exported as Iterable<TaskInput>;
}

function parsed(text: string, place: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected JSON, got something else in ${place}: ${(cause as Error).message}`,
      cause,
    });
  }
}

function refuse(expected: string, got: string, cause?: unknown): never {
  throw new ArtError({ code: 'ART_INVALID_OPTION', message: `Expected ${expected}, got ${got}.`, cause });
}
