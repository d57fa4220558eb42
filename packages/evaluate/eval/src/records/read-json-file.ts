import { readFile } from 'node:fs/promises';
import { isJsonObject } from '@art/ground';

/** The value of a file of JSON; undefined where there is none, or it is torn. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The same for a record of this schema; undefined for any other, too. */
export async function readRecordFile<T extends { schema: string }>(
  path: string,
  schema: T['schema'],
): Promise<T | undefined> {
  const value = await readJsonFile(path);
  return isJsonObject(value) && value['schema'] === schema ? (value as unknown as T) : undefined;
}
