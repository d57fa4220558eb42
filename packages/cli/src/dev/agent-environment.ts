import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { refuseOption } from '@art/protocol';
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
    refuseOption('--env-file', 'a file with KEY=VALUE lines', envFile, {
      advice: (cause as Error).message,
      cause,
    });
  }
}
