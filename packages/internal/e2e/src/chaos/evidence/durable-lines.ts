import { appendFileSync, readFileSync } from 'node:fs';

/** Adds a JSON line in one write, so that it is there whole or not at all when its writer is killed. */
export function appendLine(path: string, value: object): void {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

/** @returns nothing for a file that is not there */
export function readAllLines<T>(path: string): T[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
