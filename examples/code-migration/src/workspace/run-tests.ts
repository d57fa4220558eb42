import { testFile } from '../task.ts';
import { type CommandEnd, type CommandLimits, runCommand } from './run-command.ts';

export type Limits = CommandLimits;

export function runTests(
  folder: string,
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<CommandEnd> {
  return runCommand({ args: [testFile], cwd: folder }, limits, signal);
}
