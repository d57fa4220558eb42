import { MemoryResultStore } from '@art/store';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import * as client from './index.ts';

const options = { bucket: 'b', expId: 'e', store: new MemoryResultStore() };
const idle: client.AgentRuntime = {
  invoke: () => Promise.reject(new Error('unused')),
  stop: () => Promise.resolve({ kind: 'stopped' }),
};

describe('RolloutClient', () => {
  it('needs an ARN, or a runtime', () => {
    expect(() => new client.RolloutClient(options)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_ARN' }) as Error,
    );
    expect(() => new client.RolloutClient({ ...options, runtime: idle })).not.toThrow();
  });

  it('needs nothing but the ARN where results come from sessions, whatever store the environment names', async () => {
    vi.stubEnv('ART_RESULT_STORE', 'file:///tmp/results');
    const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a';
    await using made = new client.RolloutClient({ agentRuntimeArn });
    expect(made).toBeInstanceOf(client.RolloutClient);
    vi.unstubAllEnvs();
  });

  it('makes AgentCore from the ARN, and says which option it does not like', async () => {
    const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a';
    await using made = new client.RolloutClient({
      ...options,
      agentRuntimeArn,
      tpsLimit: 12.5,
      maxRetryAttempts: 0,
    });
    expect(made).toBeInstanceOf(client.RolloutClient);
    expect(() => new client.RolloutClient({ ...options, agentRuntimeArn, tpsLimit: 0 })).toThrow(/tpsLimit/);
  });

  it('paces a given runtime only when told to', async () => {
    await using paced = new client.RolloutClient({ ...options, runtime: idle, tpsLimit: 5 });
    await expect(paced.invoke({})).rejects.toThrow('unused');
  });

  it('reads its default store from the environment or takes S3', async () => {
    await using made = new client.RolloutClient({ bucket: 'results', expId: 'e', runtime: idle });
    expect(made).toBeInstanceOf(client.RolloutClient);
    expectTypeOf<client.RolloutClientOptions['store']>().toExtend<client.ResultStore | undefined>();
  });
});
