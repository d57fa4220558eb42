import {
  AgentCoreRLApp,
  InfrastructureError,
  MemoryResultStore,
  type AgentCoreRLAppOptions,
} from '@art/agent';
import { shortlist } from '@art/tooling/thorough';
import { describe, expect, it, vi } from 'vitest';
import { modelCalls } from './model-calls.ts';
import { troubledServer, type Trouble } from './troubled-server.fixture.ts';

const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';

/** The document of a rollout whose model endpoint is there, and whose handler does this. */
async function documentOf(
  modelOrigin: string | undefined,
  work: () => Promise<unknown>,
  options: AgentCoreRLAppOptions = {},
): Promise<Record<string, unknown>> {
  const store = new MemoryResultStore();
  await using app = new AgentCoreRLApp({
    ...options,
    resultStore: store,
    config: { logging: { enabled: false } },
    rolloutHandler: {
      process: async () => {
        await work();
        return { rewards: 1 };
      },
    },
  });
  const url = modelOrigin && `${modelOrigin.replace('//', '//user:pass-word@')}/v1?token=abcdefgh`;
  await app.inject({
    method: 'POST',
    url: '/invocations',
    headers: { 'x-amzn-bedrock-agentcore-runtime-session-id': sessionId },
    payload: { _rollout: { exp_id: 'e', input_id: 'i', s3_bucket: 'results', base_url: url } },
  });
  return await vi.waitFor(async () => {
    const text = await store.get({ bucket: 'results', key: `e/i/${sessionId}.json` });
    expect(text).toBeDefined();
    return JSON.parse(text!) as Record<string, unknown>;
  });
}

const outage = { status_code: 503, stop_reason: 'infrastructure_error' };
const agentError = { status_code: 500 };
const timeLimitMs = 60_000;
/** Short only for what never answers: a busy machine is slow to refuse. */
const timeLimitOf = (trouble: Trouble): number => (trouble === 'silent' ? 300 : timeLimitMs);

describe.each(shortlist(Object.entries(modelCalls), 5))('%s', (client, call) => {
  it.each<[string, Trouble, RegExp]>([
    ['refuses connections', 'refused', /could not be reached.*ECONNREFUSED/],
    // Without a network, or where the answer of the name server is late.
    ['has no address', 'dns', /could not be reached.*(ENOTFOUND|EAI_AGAIN|no connection within)/],
    ['resets connections', 'reset', /connection broke: .*(ECONNRESET|other side closed|socket hang up)/],
    ['does not answer in time', 'silent', /(in time|failed): /],
    ['breaks off in mid-answer', 'cut', /connection broke: /],
    ['answers 429', 429, /status 429|failed: /],
    ['answers 408', 408, /status 408|failed: /],
    ['answers 529', 529, /status 529|failed: /],
  ])('a model endpoint that %s is no fault of the agent', async (_name, trouble, message) => {
    const onRequest = vi.fn();
    const origin = await troubledServer(trouble, onRequest);
    const ask = () => documentOf(origin, () => call(origin, timeLimitOf(trouble)));
    let document = await ask();
    // A client that is held up for longer than its limit gives up before its request leaves, and has not asked the endpoint.
    while (trouble === 'silent' && !onRequest.mock.calls.length) document = await ask();
    expect(document).toMatchObject({ ...outage, endpoint: `${origin}/v1` });
    if (!client.endsWith('streamed')) expect(document['message']).toMatch(message);
    expect(document['message']).toContain(`The model endpoint ${origin}/v1 `);
    expect(JSON.stringify(document)).not.toMatch(/pass-word|abcdefgh/);
  });

  it.each([400])('a status of %s is', async (status) => {
    const origin = await troubledServer(status);
    expect(await documentOf(origin, () => call(origin, timeLimitMs))).toMatchObject(agentError);
  });

  it.each<Trouble>(['refused', 503])(
    'trouble elsewhere (%s) is the business of the agent',
    async (trouble) => {
      const elsewhere = await troubledServer(trouble);
      const model = await troubledServer(200);
      const document = await documentOf(model, async () => {
        await fetch(`${model}/v1/chat/completions`, { method: 'POST', body: '{}' });
        await call(elsewhere, timeLimitMs);
      });
      expect(document).toMatchObject(agentError);
    },
  );

  it.each<Trouble>(['refused', 'silent', 503])(
    'trouble elsewhere (%s) before the model was asked is the business of the agent',
    async (trouble) => {
      const elsewhere = await troubledServer(trouble);
      const model = await troubledServer(200);
      expect(await documentOf(model, () => call(elsewhere, timeLimitOf(trouble)))).toMatchObject(agentError);
    },
  );

  it('trouble elsewhere that the model had and got over is the business of the agent', async () => {
    const elsewhere = await troubledServer(503);
    const model = await troubledServer([503, 200]);
    const document = await documentOf(model, async () => {
      for (let turn = 0; turn < 2; turn += 1) await (await fetch(`${model}/v1`, { method: 'POST' })).text();
      await call(elsewhere, timeLimitMs);
    });
    expect(document).toMatchObject(agentError);
  });

  it('is not guessed about where it is told not to', async () => {
    const origin = await troubledServer('refused');
    const document = await documentOf(origin, () => call(origin, timeLimitMs), {
      recogniseInfrastructure: false,
    });
    expect(document).toMatchObject(agentError);
  });
});

describe('a handler', () => {
  it('that says itself that its infrastructure failed is believed, guessing or not', async () => {
    for (const recogniseInfrastructure of [true, false]) {
      const cause = new Error('connect ECONNREFUSED 10.0.0.7:9200');
      const document = await documentOf(
        undefined,
        () => Promise.reject(new InfrastructureError('The search index is down.', { cause })),
        { recogniseInfrastructure },
      );
      expect(document).toMatchObject({
        ...outage,
        message: 'The search index is down. Cause: connect ECONNREFUSED 10.0.0.7:9200',
      });
      expect(document).not.toHaveProperty('endpoint');
    }
  });

  it('that wraps what a client threw is understood by its cause', async () => {
    const origin = await troubledServer('refused');
    const document = await documentOf(origin, () =>
      modelCalls['openai']!(origin, timeLimitMs).catch((error: unknown) => {
        const tries = new AggregateError([error], 'all tries failed');
        throw new Error('turn 3 failed', { cause: tries });
      }),
    );
    expect(document).toMatchObject(outage);
  });

  it('that fails by itself after the model had trouble and recovered is an agent error', async () => {
    const origin = await troubledServer([503, 200]);
    const document = await documentOf(origin, async () => {
      await expect(modelCalls['openai']!(origin, timeLimitMs)).rejects.toThrow('503');
      await fetch(`${origin}/v1`);
      throw new Error('the tool timed out');
    });
    expect(document).toMatchObject({ ...agentError, stop_reason: 'the tool timed out' });
  });

  it('that ends its own call is an agent error', async () => {
    const origin = await troubledServer('silent');
    const document = await documentOf(origin, () =>
      fetch(`${origin}/v1`, { signal: AbortSignal.abort(new Error('enough')) }),
    );
    expect(document).toMatchObject({ ...agentError, stop_reason: 'enough' });
  });

  it.each(['openai', 'anthropic', 'AI SDK', 'Strands, OpenAI', 'LangChain'])(
    'without a base_url is judged by what its model client (%s) says',
    async (client) => {
      const origin = await troubledServer(503);
      const document = await documentOf(undefined, () => modelCalls[client]!(origin, timeLimitMs));
      expect(document).toMatchObject(outage);
    },
  );

  it('without a base_url whose tool fails is an agent error', async () => {
    const origin = await troubledServer('refused');
    expect(await documentOf(undefined, () => modelCalls['fetch']!(origin, timeLimitMs))).toMatchObject(
      agentError,
    );
  });
});
