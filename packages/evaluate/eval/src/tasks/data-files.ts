import { refuseData } from '@art/ground';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { dataFormats, isDataFile } from './read-rows.ts';

/** A file of data, and what its name begins with among the files of its folder. */
export interface DataFile {
  file: string;
  /** Empty for a file alone. */
  prefix: string;
}

/** `train-00000-of-00002`, `test_1`, and `0000` in a folder of its split */
const shard = /[-_.]?(\d+)(?:-of-(\d+))?$/;

/**
 * The files that a path of data means, in the order of their names: the file, those of a folder, or those below it, as a data set of Hugging Face
 * has them: `data/train-00000-of-00002.parquet`, `main/test.jsonl`, `test/0000.parquet`.
 * @param split part of the data set; the path has to have one part at most without it
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function dataFiles(path: string, split: string | undefined): Promise<DataFile[]> {
  const root = resolve(path);
  const found = await stat(root).catch((cause: Error) =>
    refuseData('a file that can be read', cause.message, cause),
  );
  if (!found.isDirectory()) return [{ file: root, prefix: '' }];
  const flat = (await readdir(root)).filter(isDataFile);
  const isDataSet = split !== undefined || flat.length === 0 || flat.some((name) => /-of-\d+\./.test(name));
  const names = (isDataSet ? (await readdir(root, { recursive: true })).filter(isDataFile) : flat).toSorted();
  if (names.length === 0) refuseData(`a folder with ${dataFormats} files`, path);
  const taken = isDataSet ? ofSplit(names, split, path) : names;
  return taken.map((name) => ({ file: join(root, name), prefix: `${name}:` }));
}

function ofSplit(names: readonly string[], split: string | undefined, path: string): string[] {
  const bySplit = Map.groupBy(names, splitOf);
  const all = [...bySplit.keys()].toSorted().join(', ');
  if (split === undefined && bySplit.size > 1)
    refuseData(`the name of a split (--split): ${all}`, `${path} without one`);
  const taken = split === undefined ? [...names] : bySplit.get(split);
  if (taken === undefined) refuseData(`a split of ${path}: ${all}`, JSON.stringify(split));
  const folders = new Set(taken.map((name) => configurationOf(name)));
  if (folders.size > 1)
    refuseData(
      `the folder of one configuration, such as ${join(path, [...folders].toSorted()[0]!)}`,
      `${path} with ${folders.size}: ${[...folders].toSorted().join(', ')}`,
    );
  for (const [series, shards] of Map.groupBy(taken, (name) => stemOf(name).replace(shard, ''))) {
    const wanted = Number(shard.exec(stemOf(shards[0]!))?.[2] ?? shards.length);
    if (shards.length !== wanted)
      refuseData(`${wanted} files of ${series}`, `${shards.length}: the data set is not whole`);
  }
  return taken;
}

function stemOf(name: string): string {
  return name.slice(0, -extname(name).length);
}

/** The split that a file is of, by its name, or by that of its folder where the file has a number only. */
function splitOf(name: string): string {
  const parts = stemOf(name).split(/[/\\]/);
  const own = parts.at(-1)!.replace(shard, '');
  return own === '' ? (parts.at(-2) ?? '') : own;
}

/** The folder that tells the configuration of a file. */
function configurationOf(name: string): string {
  const folder = dirname(name);
  const isNumbered = stemOf(name).split(/[/\\]/).at(-1)!.replace(shard, '') === '';
  return relative('.', isNumbered ? dirname(folder) : folder);
}

/** SHA-256 of a file, as `sha256sum` has it; of several, that of the list of theirs. */
export async function digestOfFiles(files: readonly DataFile[]): Promise<string> {
  const digests: string[] = [];
  for (const { file } of files) {
    const hash = createHash('sha256');
    for await (const part of createReadStream(file)) hash.update(part as Buffer);
    digests.push(hash.digest('hex'));
  }
  return digests.length === 1 ? digests[0]! : createHash('sha256').update(digests.join('\n')).digest('hex');
}
