import { stat } from 'node:fs/promises';
import { isNotThere } from './file-failure.ts';

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isNotThere(error)) return false;
    throw error;
  }
}
