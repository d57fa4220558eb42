import { parseEnv } from 'node:util';
import { readOptionFile } from '../arguments/read-option-file.ts';
import type { DevOptions } from '../commands/dev-command.ts';

/**
 * The variables that the agent gets on top of this process's: those of the file, then those of the command line.
 * @throws ArtError `ART_INVALID_OPTION` when the file cannot be read
 */
export function agentEnvironment(
  { env, envFile }: Pick<DevOptions, 'env' | 'envFile'>,
  cwd: string,
): Record<string, string> {
  if (envFile === undefined) return { ...env };
  const text = readOptionFile('--env-file', 'a file with KEY=VALUE lines', envFile, cwd);
  return { ...(parseEnv(text) as Record<string, string>), ...env };
}
