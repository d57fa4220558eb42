import { BedrockAgentCoreClient } from '@aws-sdk/client-bedrock-agentcore';
import { describe, expect, it } from 'vitest';
import { createAgentCoreRuntime } from '../create-agentcore-runtime.ts';
import { createAgentCoreClient } from './agentcore-client.ts';
import { readAgentCoreRuntimeOptions } from './agentcore-runtime-options.ts';

const agentRuntimeArn = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/my_agent-abc123';

describe('the region', () => {
  it('is that of the ARN, also beside a variable that is not set', async () => {
    const settings = readAgentCoreRuntimeOptions({
      agentRuntimeArn,
      clientOptions: { region: undefined as never },
    });
    expect(await createAgentCoreClient(settings).config.region()).toBe('eu-central-1');
  });

  it('is asked of a client that was given, before the first rollout', async () => {
    const region = (): Promise<string> => Promise.reject(new Error('Region is missing'));
    const client = new BedrockAgentCoreClient({ region });
    const runtime = createAgentCoreRuntime({ agentRuntimeArn, client });
    await expect(runtime.check()).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringMatching(
        /region "eu-central-1", that of the runtime, or set AWS_REGION/,
      ) as string,
    });
    runtime.close();
    const fine = createAgentCoreRuntime({ agentRuntimeArn });
    await expect(fine.check()).resolves.toBeUndefined();
    fine.close();
  });
});

describe('options that do not exist', () => {
  it.each([
    ['tpslimit', 'tpsLimit'],
    ['newSessionsPerSecond', undefined],
    ['agentRuntimeARN', 'agentRuntimeArn'],
    ['max_connections', 'maxConnections'],
  ])('%s is refused', (name, meant) => {
    const words = meant === undefined ? 'There are agentRuntimeArn' : `Did you mean ${meant}?`;
    expect(() => createAgentCoreRuntime({ agentRuntimeArn, [name]: 5 })).toThrow(words);
  });
});
