import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ArtError } from '@art/protocol';
import type { DevOptions } from './dev-options.ts';

/**
 * The variables that the agent gets on top of this process's: those of the file, then those of the command line.
 * @throws ArtError `ART_INVALID_OPTION` when the file cannot be read
 */
export function agentEnvironment(
  { env, envFile }: Pick<DevOptions, 'env' | 'envFile'>,
  cwd: string,
): Record<string, string> {
  if (envFile === undefined) return { ...env };
  try {
    const fromFile = parseEnv(readFileSync(resolve(cwd, envFile), 'utf8')) as Record<string, string>;
    return { ...fromFile, ...env };
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --env-file to name a file with KEY=VALUE lines: ${(cause as Error).message}`,
      cause,
    });
  }
}
