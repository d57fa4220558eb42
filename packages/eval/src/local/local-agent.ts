import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CleanupStack } from '@art/async';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { agentCommand, FileObjectBackend, observedBackend, startLocalRuntime } from '@art/local';
import { RolloutClient, type RolloutClientOptions } from '@art/rollout';
import { FileResultStore } from '@art/store';
import type { EvaluatedAgent } from '../run/evaluated-agent.ts';
import { KeepingGateway } from '../transcript/keeping-gateway.ts';

/** Options of `localAgent` of `@art/eval/local`. */
export interface LocalAgentOptions extends Pick<
  RolloutClientOptions,
  'modelId' | 'samplingParams' | 'extraConfig'
> {
  /** Folder that the agent runs in. @default the current one */
  cwd?: string | undefined;
  /** Added to its environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /** OpenAI-compatible endpoint of its model. @default the agent has its own, and nothing is captured */
  baseUrl?: string | undefined;
  /** Whether a gateway stands before `baseUrl` and captures what is said. @default true */
  gateway?: boolean | undefined;
  /** `s3`: results go to a store, for agents of any kind. `rip`: they stay in their sessions. @default 's3' */
  wire?: 's3' | 'rip' | undefined;
  /** Processes that are kept ready. @default 0 */
  warm?: number | undefined;
  /** Told of warnings. @default process.emitWarning */
  onWarning?: ((message: string) => void) | undefined;
}

/** An agent that is evaluated on this machine; close it when the evaluation is over. */
export interface LocalAgent extends EvaluatedAgent, AsyncDisposable {
  close(): Promise<void>;
}

const agentName = 'agent';
const bucket = 'art-local';
const tailBytes = 16_000;

/**
 * Starts a local AgentCore for an agent, every session a process of its own, and a gateway that captures what it says.
 * @param agent a file (`agent.ts`), a command line for the shell, or a program with its arguments
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function localAgent(
  agent: string | readonly string[],
  options: LocalAgentOptions = {},
): Promise<LocalAgent> {
  const { cwd = process.cwd(), env, baseUrl, modelId, wire = 's3', onWarning } = options;
  const command = agentCommand(typeof agent === 'string' ? [agent] : agent, cwd);
  await using stack = new CleanupStack();
  const root = await mkdtemp(join(tmpdir(), 'art-eval-results-'));
  stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  const storedAt = new Map<string, number>();
  const backend = observedBackend(new FileObjectBackend({ root }), {
    onWrite: ({ at, outcome }) => {
      // `{exp_id}/{input_id}/{session_id}.json`
      if (outcome === 'done')
        storedAt.set(at.key.slice(at.key.lastIndexOf('/') + 1, -'.json'.length), Date.now());
    },
    onDelete: () => undefined,
  });
  await backend.createBucket(bucket);
  const runtime = stack.use(
    await startLocalRuntime({
      agents: { [agentName]: { command, cwd, env } },
      warmPoolSize: options.warm,
      s3: { backend, autoCreateBuckets: false },
    }),
  );
  const isCaptured = baseUrl !== undefined && options.gateway !== false;
  const gateway = isCaptured
    ? stack.use(
        await startGateway({ port: 0, workers: [{ url: baseUrl }], keepRawBodies: true, logLevel: 'error' }),
      )
    : undefined;
  const capture = gateway && new KeepingGateway(new GatewayClient({ url: gateway.url }));
  const client = stack.use(
    new RolloutClient({
      runtime: runtime.runtime(agentName),
      agentRuntimeArn: runtime.arnOf(agentName),
      ...(wire === 's3' && {
        store: new FileResultStore({ root, durability: 'process' }),
        bucket,
        expId: 'eval',
      }),
      ...(capture === undefined ? { baseUrl } : { gateway: capture }),
      modelId,
      samplingParams: options.samplingParams,
      extraConfig: options.extraConfig,
      lagBoundMs: 200,
      onWarning,
    }),
  );
  const held = stack.move();
  const close = (): Promise<void> => held.disposeAsync();
  return {
    name: typeof agent === 'string' ? agent : agent.join(' '),
    client,
    endsWithProcess: true,
    model: { baseUrl, modelId },
    capture,
    storedAtMs: (sessionId) => {
      const atMs = storedAt.get(sessionId);
      storedAt.delete(sessionId);
      return atMs;
    },
    logOf: async (sessionId) => {
      const log = await readFile(join(runtime.logDir, agentName, `${sessionId}.log`), 'utf8');
      return log.slice(-tailBytes);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
