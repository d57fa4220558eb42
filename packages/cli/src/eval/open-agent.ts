import type { EvaluatedAgent } from '@art/eval';
import { KeepingGateway } from '@art/eval';
import { localAgent } from '@art/eval/local';
import { GatewayClient } from '@art/gateway-client';
import { agentEnvironment } from '../dev/agent-environment.ts';
import type { CliContext } from '../cli-context.ts';
import { batchLagBoundMs, createRolloutClient } from '../connection/create-rollout-client.ts';
import { findInvokeTarget } from '../connection/invoke-target.ts';
import type { EvalOptions } from './eval-options.ts';

/** The agent on this machine, or on AgentCore, and what lets go of it. */
export async function openAgent(
  options: EvalOptions,
  context: CliContext,
  onNotice: (message: string) => void,
): Promise<{ agent: EvaluatedAgent } & AsyncDisposable> {
  const { agentRuntimeArn: arn, baseUrl, modelId, gateway, set } = options;
  if (arn === undefined) {
    const agent = await localAgent(options.agent, {
      cwd: context.cwd,
      env: agentEnvironment({ env: options.env ?? {}, envFile: options.envFile }, context.cwd),
      baseUrl,
      modelId,
      gateway: gateway !== false,
      wire: options.wire,
      warm: options.warm,
      extraConfig: set,
      onWarning: onNotice,
    });
    return { agent, [Symbol.asyncDispose]: () => agent.close() };
  }
  const target = await findInvokeTarget({ ...options, arn }, context);
  const capture =
    typeof gateway === 'string' ? new KeepingGateway(new GatewayClient({ url: gateway })) : undefined;
  const connected = createRolloutClient(
    target,
    {
      qualifier: options.qualifier,
      expId: 'art-eval',
      ...(capture === undefined ? { baseUrl } : { gateway: capture }),
      modelId,
      extraConfig: set,
      lagBoundMs: batchLagBoundMs,
    },
    onNotice,
  );
  return {
    agent: {
      name: arn,
      client: connected.client,
      model: { baseUrl: baseUrl ?? (gateway || undefined), modelId },
      capture,
    },
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}
