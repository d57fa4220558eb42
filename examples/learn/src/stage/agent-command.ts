import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const agentPath = join(import.meta.dirname, '..', 'agent.ts');

/** The command of the agent, on every stage. */
export function agentCommand(storeRoot: string): {
  command: [string, ...string[]];
  env: Record<string, string>;
} {
  return {
    command: [process.execPath, ...process.execArgv, agentPath],
    env: { ART_RESULT_STORE: pathToFileURL(storeRoot).href },
  };
}
