import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { FastifyInstance } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { scriptedModelApp, scriptedModelId, type ScriptedModelAppOptions } from './scripted-model-app.ts';

const question =
  'The road from one town to the next is 500 kilometres long. Rosa drives for 3 hours at 70 kilometres an hour. How many kilometres remain?';
const tools = [{ type: 'function', function: { name: 'calculator' } }];
const ask = (content: unknown = question) => [{ role: 'user', content }];

const apps = new Map<string, FastifyInstance>();
afterAll(() => Promise.all([...apps.values()].map((app) => app.close())));

/** Making a server is slow next to a request, and the scripted model keeps nothing between requests. */
function appWith(options: Partial<ScriptedModelAppOptions>): FastifyInstance {
  const name = JSON.stringify(options);
  const app = apps.get(name) ?? scriptedModelApp({ errorRate: 0, seed: 1, ...options });
  apps.set(name, app);
  return app;
}

async function post(body: object, options: Partial<ScriptedModelAppOptions> = {}, apiKey = 'session-1') {
  return await appWith(options).inject({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${apiKey}` },
    payload: { model: scriptedModelId, ...body },
  });
}

async function complete(body: object, options?: Partial<ScriptedModelAppOptions>, apiKey?: string) {
  const response = await post(body, options, apiKey);
  expect(response.statusCode).toBe(200);
  const message = response.json<ChatCompletion>().choices[0]?.message;
  const call = message?.tool_calls?.[0];
  return {
    content: message?.content,
    expression: call?.type === 'function' ? call.function.arguments : undefined,
  };
}

describe('a conversation', () => {
  const called = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'calculator', arguments: '{}' } }],
  });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

  it('starts with a call of the calculator', async () => {
    await expect(complete({ messages: ask(), tools })).resolves.toMatchObject({
      expression: '{"expression":"3 * 70"}',
    });
  });

  it('takes the content in parts, too', async () => {
    await expect(
      complete({ messages: ask([{ type: 'text', text: question }]), tools }),
    ).resolves.toMatchObject({ expression: '{"expression":"3 * 70"}' });
  });

  it('goes on with what the tool answered, right or not', async () => {
    const messages = [...ask(), called('call_1'), result('call_1', '211')];
    await expect(complete({ messages, tools })).resolves.toMatchObject({
      expression: '{"expression":"500 - 211"}',
    });
  });

  it('ends with the last result of the tool', async () => {
    const messages = [
      ...ask(),
      called('call_1'),
      result('call_1', '210'),
      called('call_2'),
      result('call_2', '291'),
    ];
    const reply = await complete({ messages, tools });
    expect(reply.expression).toBeUndefined();
    expect(reply.content).toMatch(/\n#### 291$/);
  });

  it('gives up when the tool fails', async () => {
    const messages = [...ask(), called('call_1'), result('call_1', 'Error: out of order')];
    const reply = await complete({ messages, tools });
    expect(reply.expression).toBeUndefined();
    expect(reply.content).toContain('Error: out of order');
    expect(reply.content).not.toContain('####');
  });

  it('needs no tool', async () => {
    await expect(complete({ messages: ask() })).resolves.toMatchObject({
      content: expect.stringMatching(/#### 290$/) as string,
      expression: undefined,
    });
  });

  it('cannot parse what it does not know, and gives no number', async () => {
    const reply = await complete({ messages: ask('What is the capital of France?'), tools });
    expect(reply.content).toContain('cannot parse');
    expect(reply.content).not.toMatch(/\d|####/);
  });
});

describe('mistakes', () => {
  const answers = async (body: object, keys: readonly string[]) =>
    await Promise.all(
      keys.map(
        async (key) => (await complete({ messages: ask(), ...body }, { errorRate: 0.5 }, key)).content,
      ),
    );
  const keys = Array.from({ length: 30 }, (_, index) => `session-${index}`);

  it('repeat themselves', async () => {
    const body = { temperature: 1 };
    expect(await answers(body, keys)).toEqual(await answers(body, keys));
  });

  it('differ among the sessions of one problem', async () => {
    const given = await answers({ temperature: 1 }, keys);
    expect(new Set(given).size).toBeGreaterThan(1);
    expect(given.filter((answer) => answer?.endsWith('#### 290')).length).toBeGreaterThan(5);
  });

  it.each([{ temperature: 0 }, { temperature: 1, seed: 7 }])(
    'are the same for every session with %j',
    async (body) => {
      expect(new Set(await answers(body, keys)).size).toBe(1);
    },
  );

  it('depend on the seed of the request and of the model', async () => {
    const bySeed = await Promise.all(
      keys.map(async (_key, seed) => (await complete({ messages: ask(), seed }, { errorRate: 0.5 })).content),
    );
    expect(new Set(bySeed).size).toBeGreaterThan(1);
    const byModel = await Promise.all(
      keys
        .slice(0, 12)
        .map(async (_key, seed) => (await complete({ messages: ask() }, { errorRate: 0.5, seed })).content),
    );
    expect(new Set(byModel).size).toBeGreaterThan(1);
  });
});

describe('a stream', () => {
  async function chunks(body: object): Promise<ChatCompletionChunk[]> {
    const response = await post({ messages: ask(), stream: true, ...body });
    expect(response.headers['content-type']).toContain('text/event-stream');
    const events = response.body.trimEnd().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    return events
      .slice(0, -1)
      .map((event) => JSON.parse(event.replace(/^data: /, '')) as ChatCompletionChunk);
  }

  it('has the same words as the whole', async () => {
    const whole = await complete({ messages: ask() });
    const streamed = (await chunks({})).map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(streamed).toBe(whole.content);
  });

  it('has the call in parts', async () => {
    const parts = (await chunks({ tools })).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts[0]).toMatchObject({ id: 'call_1', function: { name: 'calculator' } });
    expect(parts.map((part) => part.function?.arguments ?? '').join('')).toBe('{"expression":"3 * 70"}');
  });

  it('ends with a reason, and with the usage where it is asked for', async () => {
    const plain = await chunks({ tools });
    expect(plain.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
    const counted = await chunks({ stream_options: { include_usage: true } });
    expect(counted.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(counted.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) as number },
    });
  });
});

describe('refusals have the shape of OpenAI errors', () => {
  it.each([
    [{ messages: [] }, 400, 'must NOT have fewer than 1 items'],
    [{}, 400, "must have required property 'messages'"],
    [{ messages: ask(), model: 'gpt' }, 404, 'The model gpt does not exist.'],
  ])('%j', async (body, status, message) => {
    const response = await post(body);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ error: { message: expect.stringContaining(message) as string } });
  });

  it('also for an unknown path', async () => {
    const response = await appWith({}).inject({ method: 'POST', url: '/v1/responses', payload: {} });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ error: { message: 'Invalid URL (POST /v1/responses)' } });
  });
});

it('says that it is well', async () => {
  expect((await appWith({}).inject('/health')).statusCode).toBe(200);
});

it('lists its model', async () => {
  const response = await appWith({}).inject('/v1/models');
  expect(response.json()).toMatchObject({ object: 'list', data: [{ id: scriptedModelId }] });
});
