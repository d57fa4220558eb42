import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { refuseOption } from '@art/ground';

/**
 * The text of a file that an option names.
 * @throws ArtError `ART_INVALID_OPTION` where it cannot be read
 */
export function readOptionFile(option: string, expected: string, file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    refuseOption(option, expected, path, { advice: (cause as Error).message, cause });
  }
}

/**
 * The value in a file of JSON that an option names.
 * @throws ArtError `ART_INVALID_OPTION` where it cannot be read, or is no JSON
 */
export function readOptionJson(option: string, file: string, cwd: string): unknown {
  const text = readOptionFile(option, 'a file that can be read', file, cwd);
  try {
    return JSON.parse(text);
  } catch (cause) {
    refuseOption(option, 'a file with JSON', resolve(cwd, file), { advice: (cause as Error).message, cause });
  }
}
