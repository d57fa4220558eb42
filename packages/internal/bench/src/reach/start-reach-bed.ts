import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalRuntime, startLocalRuntime } from '@art/local';
import { type NodeProcess, spawnNode } from '../gateway/subjects/spawn-node.ts';

/** Engine, gateway, trainer and the agents in their own processes, and AgentCore in this one. */
export interface ReachBed extends AsyncDisposable {
  local: LocalRuntime;
  agentRuntimeArn: string;
  gatewayUrl: string;
  trainer: NodeProcess;
  hosts: NodeProcess[];
  /** Ids of all processes, by what they are. */
  pids: Record<string, number>;
}

/** @param hostCount processes that serve the agents of all sessions */
export async function startReachBed(hostCount: number): Promise<ReachBed> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'art-bench-reach-'));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const [portsFolder, stateFolder] = [join(folder, 'ports'), join(folder, 'state')];
  await mkdir(portsFolder);
  const start = async (script: string, env: Record<string, string> = {}): Promise<NodeProcess> =>
    parts.use(await spawnNode(undefined, join(import.meta.dirname, script), env));
  const engine = await start('../gateway/engine/engine-process.ts');
  const engineUrl = String(engine.hello['url']);
  const gateway = await start('../gateway/subjects/art-process.ts', { ENGINE_URL: engineUrl });
  const hosts: NodeProcess[] = [];
  for (let index = 0; index < hostCount; index += 1) {
    const share = { HOST_INDEX: String(index), HOSTS: String(hostCount) };
    const folders = { PORTS_FOLDER: portsFolder, STATE_FOLDER: stateFolder };
    hosts.push(await start('session-host-process.ts', { ...share, ...folders }));
  }
  const trainer = await start('trainer-process.ts');
  // A session's process does nothing but be there, and be stopped: its agent is in one of the hosts.
  const command = ': > "$PORTS_FOLDER/$PORT"; exec sleep 100000';
  const local = await startLocalRuntime({
    agents: { bench: { command, env: { PORTS_FOLDER: portsFolder } } },
    s3: false,
    logDir: join(folder, 'logs'),
    endpointLogEntries: 1_000_000,
    maxConcurrentStarts: 16,
  });
  parts.defer(() => local.close());
  const started = parts.move();
  return {
    local,
    agentRuntimeArn: local.arnOf('bench'),
    gatewayUrl: String(gateway.hello['url']),
    trainer,
    hosts,
    pids: {
      trainer: trainer.pid,
      gateway: gateway.pid,
      engine: engine.pid,
      ...Object.fromEntries(hosts.map(({ pid }, at) => [`agents ${at + 1}`, pid])),
      AgentCore: process.pid,
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
