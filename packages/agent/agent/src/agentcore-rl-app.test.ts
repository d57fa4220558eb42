import { MemoryResultStore } from '@art/store';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import * as agent from './index.ts';
import { AgentCoreRLApp as ServerApp, type RequestSchema } from '@art/server';

const config = { logging: { enabled: false } };
const rollout = {
  method: 'POST' as const,
  url: '/invocations',
  headers: { 'x-amzn-bedrock-agentcore-runtime-session-id': 's' },
  payload: '{"_rollout":{"exp_id":"e","input_id":"i","s3_bucket":"b"}}',
};

afterEach(() => vi.unstubAllEnvs());

describe('@art/agent', () => {
  it('exports what an agent author needs', () => {
    expect(Object.keys(agent).toSorted()).toEqual([
      'AgentCoreRLApp',
      'ClipReward',
      'ExactMatchReward',
      'FileResultStore',
      'GSM8KReward',
      'InfrastructureError',
      'MemoryResultStore',
      'RewardFunction',
      'WeightedSumReward',
      'getContext',
      'normalizeReward',
      'registerStoreDriver',
    ]);
  });

  it('keeps the types of the server', async () => {
    const requestSchema = { type: 'object' } satisfies RequestSchema;
    await using app = new agent.AgentCoreRLApp({
      config,
      invocationHandler: {
        process: (request) => expectTypeOf(request).toEqualTypeOf<Record<string, unknown>>(),
      },
    });
    app.rolloutEntrypoint(() => ({ rewards: 1 }), { requestSchema });
    expectTypeOf(app).toExtend<ServerApp>();
    expect(app).toBeInstanceOf(ServerApp);
  });

  it('stores in what the app was given', async () => {
    const store = new MemoryResultStore();
    await using app = new agent.AgentCoreRLApp({ config, resultStore: store });
    app.rolloutEntrypoint(() => ({ rewards: 1 }));
    expect((await app.inject(rollout)).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await store.exists({ bucket: 'b', key: 'e/i/s.json' })).toBe(true));
  });

  it.each([agent.AgentCoreRLApp, ServerApp])(
    'does not start with a store that nobody can open',
    async (App) => {
      vi.stubEnv('ART_RESULT_STORE', 'redsi://host/0');
      await using app = new App({ config });
      await expect(app.listen({ port: 0 })).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
        message: expect.stringMatching(/ART_RESULT_STORE.*redsi.*registerStoreDriver/) as string,
      });
      await using own = new App({ config, resultStore: new MemoryResultStore() });
      await own.listen({ port: 0 });
    },
  );

  it('reads the environment when the first rollout comes, and refuses bad options as the server does', async () => {
    await using app = new agent.AgentCoreRLApp({ config });
    app.rolloutEntrypoint(() => ({ rewards: 1 }));
    vi.stubEnv('ART_RESULT_STORE', 'nonsense');
    const answer = await app.inject(rollout);
    expect(answer.statusCode).toBe(500);
    expect(answer.json<{ error: string }>().error).toContain('ART_RESULT_STORE');
    expect(() => new agent.AgentCoreRLApp(null as never)).toThrow(/to be an object, got null/);
  });
});
