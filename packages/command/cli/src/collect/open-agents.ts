import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CleanupStack, ArtError } from '@art/ground';
import type { CollectServiceOptions } from '@art/collect';
import { agentCommand, startAgentServer, startLocalRuntime } from '@art/local';
import { FileResultStore } from '@art/store';
import { agentEnvironment } from '../arguments/agent-environment.ts';
import type { CliContext } from '../cli-context.ts';
import {
  awsLagBoundMs,
  createTargetRuntime,
  createTargetStore,
} from '../connection/create-rollout-client.ts';
import { findInvokeTarget } from '../connection/invoke-target.ts';
import type { CollectOptions } from './collect-options.ts';

/** Where rollouts run. */
export interface OpenedAgents {
  client: CollectServiceOptions['client'];
  /** For people. */
  described: string;
  /** True if sessions outlive this process. */
  areElsewhere: boolean;
  /** Rejects where nothing can work any more; never resolves. */
  failed: Promise<never>;
}

/** Which agent it is, and how it is run. */
type AgentChoice = Pick<
  CollectOptions,
  | 'agent'
  | 'sessions'
  | 'env'
  | 'envFile'
  | 'bucket'
  | 'endpoint'
  | 'qualifier'
  | 'modelId'
  | 'agentRuntimeArn'
>;

const never = new Promise<never>(() => undefined);

/**
 * The agent that was named, run here; else the runtime that was named, else the `art dev` of this folder.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_NO_DEV_INSTANCE`
 */
export async function openAgents(
  options: AgentChoice,
  context: CliContext,
  parts: CleanupStack,
  state: string,
  signal: AbortSignal,
  onNotice: (message: string) => void,
): Promise<OpenedAgents> {
  return options.agent.length === 0
    ? openTarget(options, context, parts, signal, onNotice)
    : openLocal(options, context, parts, state, signal);
}

async function openLocal(
  options: AgentChoice,
  { cwd }: CliContext,
  parts: CleanupStack,
  state: string,
  signal: AbortSignal,
): Promise<OpenedAgents> {
  // Results are files: those of an agent that a killed process left behind are read by the next one.
  const root = join(state, 'results');
  const agent = {
    command: agentCommand(options.agent, cwd),
    cwd,
    env: { ...agentEnvironment(options, cwd), ART_RESULT_STORE: pathToFileURL(root).href },
  };
  const store = new FileResultStore({ root });
  const shared = {
    store,
    bucket: options.bucket ?? 'collect',
    modelId: options.modelId,
    watch: { lagBoundMs: 50 },
  };
  const logDir = join(state, 'logs');
  const name = options.agent.join(' ');
  if (options.sessions === 'server') {
    const server = parts.use(await startAgentServer({ ...agent, logDir, signal }));
    const failed = server.ended.then((log) => {
      throw new ArtError({
        code: 'ART_SESSION_START_FAILED',
        message: `The agent has ended. It wrote last:\n${log}`,
      });
    });
    failed.catch(() => undefined);
    const client = { ...shared, runtime: server.runtime };
    return { client, described: `${name}, one process for all sessions`, areElsewhere: false, failed };
  }
  const local = parts.use(
    await startLocalRuntime({
      agents: { agent },
      logDir,
      warmPoolSize: 2 * availableParallelism(),
      s3: false,
    }),
  );
  const client = { ...shared, runtime: local.runtime('agent') };
  return { client, described: `${name}, a process for each session`, areElsewhere: false, failed: never };
}

async function openTarget(
  options: AgentChoice,
  context: CliContext,
  parts: CleanupStack,
  signal: AbortSignal,
  onNotice: (message: string) => void,
): Promise<OpenedAgents> {
  const { agentRuntimeArn: arn, bucket, endpoint, qualifier, modelId } = options;
  const target = await findInvokeTarget({ arn, bucket, endpoint }, context, signal);
  const runtime = createTargetRuntime(target, qualifier);
  parts.defer(async () => runtime.close?.());
  const store = createTargetStore(target, onNotice);
  if (store !== undefined) parts.defer(() => store.close());
  const lagBoundMs = target.credentials === 'local' ? 100 : awsLagBoundMs;
  return {
    client: { runtime, store, bucket: target.bucket, modelId, watch: { lagBoundMs } },
    described:
      target.bucket === undefined
        ? target.agentRuntimeArn
        : `${target.agentRuntimeArn}, results in ${target.bucket}`,
    areElsewhere: true,
    failed: never,
  };
}
