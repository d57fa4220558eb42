import { loadAgent, type AgentLoadResult } from '../agent-server/load-agent.ts';
import { startAgent } from '../agent-server/start-agent.ts';

export interface ServerRun extends AgentLoadResult {
  /** Time of the store for a result. */
  putMs: number;
}

const connections = 50;

/** Rollout requests against an agent, with a store that takes no time and one that takes 20 ms. */
export async function runServerScenario(options: {
  isQuick: boolean;
  onRun: (run: ServerRun) => void;
}): Promise<ServerRun[]> {
  const runs: ServerRun[] = [];
  for (const putMs of [0, 20]) {
    await using agent = await startAgent(putMs);
    const requests = options.isQuick ? 500 : 60_000;
    const run = { putMs, ...(await loadAgent({ endpoint: agent.endpoint, connections, requests })) };
    runs.push(run);
    options.onRun(run);
  }
  return runs;
}
