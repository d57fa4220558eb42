import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDirectory } from '@art/protocol';
import { type AgentRuntime, FileResultStore, RolloutClient } from '@art/client';
import { GatewayClient } from '@art/gateway-client';
import { type LocalRuntime, startAgentServer, startLocalRuntime } from '@art/local';
import type { Options } from '../options.ts';
import { words } from '../task.ts';
import { agentCommand } from './agent-command.ts';
import { ArtGateway } from './art-gateway.ts';
import { PythonTrainer } from './python-trainer.ts';
import { Vllm } from './vllm.ts';

/** Everything that the loop needs, running. Closing it ends every process. */
export interface Stage extends AsyncDisposable {
  client: RolloutClient;
  gateway: GatewayClient;
  engine: Vllm;
  maxConcurrentSessions: number;
  /** Aborts when one of the programs ends by itself, with the end of its log; and with what was given. */
  signal: AbortSignal;
  /** The policy as it was made, for a run to begin with. */
  policy: string;
  /** A trainer that has seen nothing yet. */
  startTrainer(): Promise<PythonTrainer>;
}

const scripts = join(import.meta.dirname, '..', '..', 'python');
const modelId = 'policy';

export async function openStage(
  { seed, sessions, out }: Pick<Options, 'seed' | 'sessions' | 'out'>,
  python: string,
  signal: AbortSignal,
): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const logDir = join(out, 'logs');
  await makeDirectory(logDir);
  const storeRoot = await mkdtemp(join(tmpdir(), 'art-learn-'));
  parts.defer(() => rm(storeRoot, { recursive: true, force: true, maxRetries: 10 }));

  const policy = join(out, 'policy');
  await promisify(execFile)(python, [join(scripts, 'make_policy.py'), policy, String(seed), ...words], {
    signal,
  });
  const engine = parts.use(await Vllm.start({ python, policy, modelId, seed, logDir, signal }));
  const gateway = parts.use(await ArtGateway.start({ worker: engine.url, logDir, signal }));
  const broken = new AbortController();
  for (const { group } of [engine, gateway]) group.died().catch((error: unknown) => broken.abort(error));
  let runtime: AgentRuntime;
  if (sessions === 'server') {
    const server = parts.use(await startAgentServer({ ...agentCommand(storeRoot), logDir, signal }));
    void server.ended.then((log) => broken.abort(new Error(`The agent ended by itself: ${log}`)));
    runtime = server.runtime;
  } else {
    runtime = parts.use(await startProcesses(storeRoot, logDir)).runtime('learn');
  }
  const client = parts.use(
    new RolloutClient({
      runtime,
      store: new FileResultStore({ root: storeRoot }),
      bucket: 'learn',
      expId: 'learn',
      gateway: { url: gateway.url, samplingParams: { temperature: 1 } },
      modelId,
    }),
  );
  const opened = parts.move();
  return {
    client,
    gateway: new GatewayClient({ url: gateway.url }),
    engine,
    maxConcurrentSessions: sessions === 'server' ? 128 : 4 * availableParallelism(),
    signal: AbortSignal.any([signal, broken.signal]),
    policy,
    startTrainer: () =>
      PythonTrainer.start({
        python,
        script: join(scripts, 'trainer.py'),
        policy,
        weights: join(out, 'weights'),
        logDir,
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The local AgentCore: a process for each session, some of them started ahead. */
function startProcesses(storeRoot: string, logDir: string): Promise<LocalRuntime> {
  return startLocalRuntime({
    agents: { learn: agentCommand(storeRoot) },
    logDir: join(logDir, 'sessions'),
    warmPoolSize: 2 * availableParallelism(),
    s3: false,
  });
}
