import { resolve } from 'node:path';
import { CleanupStack, refuseOption } from '@art/ground';
import { GatewayClient } from '@art/gateway-client';
import { agentCommand } from '@art/local';
import { RolloutClient, type RolloutClientOptions } from '@art/rollout';
import { AnswerFolder } from './answer-folder.ts';
import type { EvaluatedAgent } from '../run/evaluated-agent.ts';
import { recordedSettings } from '../run/run-inputs.ts';
import { TranscriptGateway } from '../transcript/transcript-gateway.ts';
import { sessionsAsProcesses } from './sessions-as-processes.ts';
import { sessionsInOneServer } from './sessions-in-one-server.ts';

/** Options of `localAgent` of `@art/eval/local`. */
export interface EvaluatedLocalAgentOptions extends Pick<
  RolloutClientOptions,
  'modelId' | 'samplingParams' | 'extraConfig'
> {
  /** Folder that the agent runs in. @default the current one */
  cwd?: string | undefined;
  /** Added to its environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /** OpenAI-compatible endpoint of its model. @default the agent has its own, and nothing is captured */
  baseUrl?: string | undefined;
  /**
   * True for a gateway before `baseUrl` that captures what is said; or the one of another agent at this address (its `capture`), which then
   * counts for both. @default true
   */
  gateway?: boolean | TranscriptGateway | undefined;
  /**
   * `processes`: each session has its own process, as on AgentCore, so none sees what another one left or takes it down. `server`:
   * one process serves all, which saves a start for each sample; for agents of `@art/agent`, and others that speak RIP.
   * @default 'processes'
   */
  sessions?: 'processes' | 'server' | undefined;
  /**
   * Folder in which the model's answers are kept: what a sample has asked before, in this run or another, is not asked again. `endpoint`
   * names the model's endpoint there, by default `baseUrl`. @default they are not kept
   */
  cache?: { folder: string; endpoint?: string | undefined } | undefined;
  /** `s3`: results go to a store, for agents of any kind. `rip`: they stay in their sessions. @default 's3', with a server 'rip' */
  wire?: 's3' | 'rip' | undefined;
  /** Processes that are kept ready, where each session has its own. @default 0 */
  warm?: number | undefined;
  /** With `processes`: `V2` plays that each session is restored from one snapshot of the process. @default 'V1' */
  platformVersion?: 'V1' | 'V2' | undefined;
  /** Called with warnings. @default process.emitWarning */
  onWarning?: ((message: string) => void) | undefined;
}

/** An agent that is evaluated on this machine; close it when the evaluation is over. */
export interface LocalAgent extends EvaluatedAgent, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * Starts an agent for evaluation on this machine, and a gateway that captures what it says.
 * @param agent a file (`agent.ts`), a command line for the shell, or a program with its arguments
 * @throws ArtError `ART_INVALID_OPTION`; `ART_SESSION_START_FAILED` where the one server does not start
 */
export async function localAgent(
  agent: string | readonly string[],
  options: EvaluatedLocalAgentOptions = {},
): Promise<LocalAgent> {
  const {
    cwd = process.cwd(),
    env,
    baseUrl,
    modelId,
    sessions = 'processes',
    wire,
    warm,
    platformVersion,
    cache,
    onWarning,
  } = options;
  const command = { command: agentCommand(typeof agent === 'string' ? [agent] : agent, cwd), cwd, env };
  if (sessions !== 'processes' && sessions !== 'server')
    refuseOption('sessions', "'processes' or 'server'", sessions);
  if (sessions === 'server' && wire === 's3')
    refuseOption('wire', "'rip', or left out, with sessions 'server'", wire);
  if (sessions === 'server' && warm !== undefined)
    refuseOption('warm', "left out with sessions 'server'", warm);
  if (sessions === 'server' && platformVersion === 'V2')
    refuseOption('platformVersion', "V1, or left out, with sessions 'server'", platformVersion);
  const isCaptured = baseUrl !== undefined && options.gateway !== false;
  const answers =
    cache === undefined || !isCaptured
      ? undefined
      : await AnswerFolder.open(resolve(cwd, cache.folder), cache.endpoint ?? baseUrl);
  await using stack = new CleanupStack();
  const place = await (sessions === 'server'
    ? sessionsInOneServer(command, stack)
    : sessionsAsProcesses(command, { wire, warm, platformVersion }, stack));
  let capture = isCaptured && typeof options.gateway === 'object' ? options.gateway : undefined;
  // An agent without a model has no use for its engines and metrics, which take their time to load.
  const gateway =
    isCaptured && capture === undefined
      ? stack.use(
          await (
            await import('@art/gateway')
          ).startGateway({
            port: 0,
            workers: [{ url: baseUrl }],
            keepRawBodies: true,
            answers,
            logLevel: 'error',
            onSpent: (runId, spent) => {
              if (capture?.budget?.id === runId) capture.budget.count(spent);
            },
          }),
        )
      : undefined;
  capture ??= gateway && new TranscriptGateway(new GatewayClient({ url: gateway.url }));
  const client = stack.use(
    new RolloutClient({
      ...place.client,
      ...(capture === undefined ? { baseUrl } : { gateway: capture }),
      modelId,
      samplingParams: options.samplingParams,
      extraConfig: options.extraConfig,
      watch: { lagBoundMs: 200 },
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
    settings: recordedSettings({
      ...options.extraConfig,
      ...options.samplingParams,
      ...(wire && { wire }),
    }),
    capture,
    storedAtMs: place.storedAtMs,
    logOf: place.logOf,
    close,
    [Symbol.asyncDispose]: close,
  };
}
