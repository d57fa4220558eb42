import { readFile } from 'node:fs/promises';
import { evalGroupLine, type GroupLine } from './group-line.ts';

/** A group that `art collect` keeps in a file of its own; undefined where it was acknowledged meanwhile, and so is gone. */
export async function readGroupFile(file: string): Promise<GroupLine | undefined> {
  try {
    return evalGroupLine(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
