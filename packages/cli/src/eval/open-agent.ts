import { resolve } from 'node:path';
import { CleanupStack } from '@art/async';
import type { EvaluatedAgent } from '@art/eval';
import { KeepingGateway } from '@art/eval';
import { localAgent } from '@art/eval/local';
import { GatewayClient } from '@art/gateway-client';
import { readScript, startMockModel } from '@art/mock-model';
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
    await using stack = new CleanupStack();
    const model = await scriptedModel(options, context.cwd, stack);
    const agent = stack.use(
      await localAgent(options.agent, {
        cwd: context.cwd,
        env: agentEnvironment(options, context.cwd),
        baseUrl: model?.baseUrl ?? baseUrl,
        modelId: modelId ?? model?.modelId,
        gateway: gateway !== false,
        sessions: options.sessions,
        wire: options.wire,
        warm: options.warm,
        extraConfig: set,
        onWarning: onNotice,
      }),
    );
    const held = stack.move();
    return { agent, [Symbol.asyncDispose]: () => held.disposeAsync() };
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

/** A run that goes on may have been started with a mock model, and be given a real one now. */
async function scriptedModel(
  { mockModel, baseUrl }: EvalOptions,
  cwd: string,
  stack: CleanupStack,
): Promise<{ baseUrl: string; modelId: string } | undefined> {
  if (mockModel === undefined || baseUrl !== undefined) return undefined;
  const model = await startMockModel({ reply: await readScript(resolve(cwd, mockModel)) });
  stack.defer(() => model.close());
  return { baseUrl: model.baseUrl, modelId: 'mock-model' };
}
