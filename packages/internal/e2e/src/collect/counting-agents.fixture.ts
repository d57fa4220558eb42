import { join } from 'node:path';
import { type LocalRuntime, startLocalRuntime } from '@art/local';

/** A local AgentCore with the agent `counting`, which notes each of its runs in the file `runs` of a folder. */
export function startCountingAgents(folder: string): Promise<LocalRuntime> {
  const main = join(import.meta.dirname, 'counting-agent.ts');
  return startLocalRuntime({
    stopGraceMs: 2_000,
    warmPoolSize: 2,
    s3: { autoCreateBuckets: true },
    agents: {
      counting: {
        command: [process.execPath, '--conditions=@art/source', main],
        env: { RUNS_FILE: join(folder, 'runs') },
      },
    },
  });
}
