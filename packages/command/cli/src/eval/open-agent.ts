import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CleanupStack } from '@art/ground';
import { type EvaluatedAgent, recordedSettings, TranscriptGateway } from '@art/eval';
import { localAgent } from '@art/eval/local';
import { GatewayClient } from '@art/gateway-client';
import { agentEnvironment } from '../arguments/agent-environment.ts';
import { checkReach } from '../arguments/reach-option.ts';
import type { CliContext } from '../cli-context.ts';
import { findInvokeTarget } from '../connection/invoke-target.ts';
import { namedGateway } from '../connection/named-gateway.ts';
import type { AgentOptions } from './agent-options.ts';

/**
 * The agent on this machine, or on AgentCore.
 * @param parts lets go of it
 * @param shared gateway of another agent, which counts for both
 * @throws ArtError `ART_INVALID_OPTION`; GatewayError where the gateway that was named does not answer
 */
export async function openAgent(
  options: AgentOptions,
  context: CliContext,
  parts: CleanupStack,
  onNotice: (message: string) => void,
  shared?: EvaluatedAgent['capture'],
): Promise<EvaluatedAgent> {
  const { agentRuntimeArn: arn, baseUrl, modelId, gateway, reach, set } = options;
  const other = shared instanceof TranscriptGateway ? shared : undefined;
  checkReach({ reach, hasGateway: typeof gateway === 'string', isAgentHere: arn === undefined });
  if (arn === undefined) {
    const model = await scriptedModel(options, context.cwd, parts);
    const env = agentEnvironment(options, context.cwd);
    const local = parts.use(
      await localAgent(options.agent, {
        cwd: context.cwd,
        env,
        baseUrl: model?.baseUrl ?? baseUrl,
        modelId: modelId ?? model?.modelId,
        gateway: other ?? gateway !== false,
        sessions: options.sessions,
        wire: options.wire,
        warm: options.warm,
        platformVersion: options.platformVersion,
        extraConfig: set,
        cache: options.cache === undefined ? undefined : { folder: options.cache, endpoint: model?.name },
        onWarning: onNotice,
      }),
    );
    const settings = { ...local.settings };
    // Their values may be secrets.
    if (Object.keys(env).length > 0) settings['env'] = Object.keys(env).toSorted();
    if (model !== undefined) settings['mockModel'] = resolve(context.cwd, options.mockModel!);
    return { ...local, settings };
  }
  const { qualifier } = options;
  const target = await findInvokeTarget({ ...options, arn }, context);
  const named = await namedGateway({ gateway: gateway || undefined, reach }, context);
  const capture =
    other ??
    (named &&
      new TranscriptGateway(new GatewayClient({ url: named.url, adminToken: named.adminToken }), reach));
  const way = capture === undefined ? { baseUrl } : { gateway: capture };
  const settings = { qualifier, expId: 'art-eval', modelId, set, ...way };
  // AWS's SDKs, which an agent on this machine has no use for.
  const { createRolloutClient } = await import('../connection/create-rollout-client.ts');
  const { client } = parts.use(createRolloutClient(target, settings, onNotice));
  return {
    name: arn,
    client,
    model: { baseUrl, modelId },
    settings: recordedSettings({ ...set, ...(qualifier !== undefined && { qualifier }) }),
    capture,
  };
}

/** A run that continues may have been started with a mock model, and be given a real one now. */
async function scriptedModel(
  { mockModel, baseUrl }: AgentOptions,
  cwd: string,
  parts: CleanupStack,
): Promise<{ baseUrl: string; modelId: string; name: string } | undefined> {
  if (mockModel === undefined || baseUrl !== undefined) return undefined;
  const path = resolve(cwd, mockModel);
  const { readScript, startMockModel } = await import('@art/mock-model');
  const model = await startMockModel({ reply: await readScript(path) });
  parts.defer(() => model.close());
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return { baseUrl: model.baseUrl, modelId: 'mock-model', name: `mock-model ${digest}` };
}
