import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentOf, writtenSince } from './written-files.ts';

const mostFiles = 50;
const mostBytes = 262_144;

/**
 * Runs a session, and puts the names and texts of the files that it wrote into `output`. What others wrote into the same files is left out.
 * @param place the folder, and the files in it that sessions write
 */
export async function withSessionFiles<Result>(
  { folder, shared }: { folder: string; shared: readonly string[] },
  output: Map<string, string>,
  session: () => Promise<Result>,
): Promise<Result> {
  const before = await contentOf(folder);
  const former = await textsOf(folder, shared);
  const result = await session();
  const after = before && (await contentOf(folder));
  const written = before && after ? writtenSince(before, after).toSorted().slice(0, mostFiles) : [];
  const texts = await textsOf(folder, written);
  for (const [index, path] of written.entries()) {
    output.set(`file ${index + 1} name`, path);
    const text = texts.get(path);
    if (text !== undefined) output.set(`file ${index + 1} text`, addedText(former.get(path) ?? '', text));
  }
  return result;
}

/** The texts among these files; others are left out. */
async function textsOf(folder: string, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    if (bytes !== undefined && bytes.length <= mostBytes && !bytes.includes(0))
      texts.set(path, bytes.toString('utf8'));
  }
  return texts;
}

/** The part of a text that is not in the former one; all of it where it has not grown, for then it was written anew. */
export function addedText(former: string, text: string): string {
  if (text.length <= former.length) return text;
  let start = 0;
  while (start < former.length && text[start] === former[start]) start += 1;
  let tail = 0;
  while (tail < former.length - start && text.at(-1 - tail) === former.at(-1 - tail)) tail += 1;
  // Most of the former text is gone: it was written anew.
  if (start + tail < former.length / 2) return text;
  // A word is added as a whole.
  while (start > 0 && /\w/.test(text[start - 1]!) && /\w/.test(text[start]!)) start -= 1;
  return text.slice(start, text.length - tail);
}
