/**
 * One side of the comparison, its own process: groups with `@art/client` in process, or through `art collect`'s service over HTTP to
 * a reader in another process. Agents and gateway are other processes, so that only the client's own CPU is counted.
 * Input on stdin: `{ kind, directory, gatewayUrl, inputs, rolloutsPerInput }`; prints `ready`, then the measurement.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';
import { FileJournal, FileResultStore, RolloutClient } from '@art/client';
import { CollectService, serveHttp } from '@art/collect';
import { startAgentServer } from '@art/local';

export interface CollectTask {
  kind: 'client' | 'collect';
  directory: string;
  gatewayUrl: string;
  groups: number;
  warmUpGroups: number;
  rolloutsPerInput: number;
  maxConcurrentSessions: number;
}

export interface CollectMeasurement {
  rollouts: number;
  cpuMs: number;
  wallMs: number;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async (): Promise<string> => (await lines.next()).value as string;
const task = JSON.parse(await next()) as CollectTask;
const root = join(task.directory, 'results');
const store = new FileResultStore({ root });
await using agents = await startAgentServer({
  command: [process.execPath, ...process.execArgv, join(import.meta.dirname, 'collect-agent.ts')],
  env: { ART_RESULT_STORE: pathToFileURL(root).href },
  logDir: task.directory,
});
const { rolloutsPerInput, maxConcurrentSessions } = task;
const shared = { runtime: agents.runtime, store, bucket: 'bench', watch: { lagBoundMs: 50 } };
const gateway = { url: task.gatewayUrl };

if (task.kind === 'client') {
  await using client = new RolloutClient({ ...shared, expId: 'bench', gateway });
  const journal = new FileJournal({ directory: join(task.directory, 'runs') });
  const take = async (count: number, runId: string): Promise<number> => {
    let rows = 0;
    const inputs = Array.from({ length: count }, (_, n) => ({ n }));
    const options = { rolloutsPerInput, maxConcurrentSessions, advantages: {}, journal: { journal, runId } };
    for await (const group of client.runGroups(inputs, options)) rows += (await group.rows()).rows.length;
    return rows;
  };
  await take(task.warmUpGroups, 'warm-up');
  await measure(() => take(task.groups, 'measured'));
} else {
  const service = new CollectService({
    directory: task.directory,
    client: shared,
    gateway,
    maxConcurrentSessions,
  });
  await using server = await serveHttp({ service, port: 0 });
  console.log(JSON.stringify({ url: server.url }));
  // The reader says when it has had the warm-up, and when it has had everything.
  await next();
  await measure(async () => Number(await next()));
  await service.close();
}
process.exit(0);

async function measure(work: () => Promise<number>): Promise<void> {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const rollouts = await work();
  const { user, system } = process.cpuUsage(before);
  const told: CollectMeasurement = {
    rollouts,
    cpuMs: (user + system) / 1_000,
    wallMs: performance.now() - startedMs,
  };
  console.log(JSON.stringify(told));
}
