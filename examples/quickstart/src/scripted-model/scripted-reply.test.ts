import { type MockModel, startMockModel } from '@art/mock-model';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { afterAll, describe, expect, it } from 'vitest';
import type { ScriptedBehaviour } from './choose-reply.ts';
import { scriptedReply } from './scripted-reply.ts';

const question =
  'The road from one town to the next is 500 kilometres long. Rosa drives for 3 hours at 70 kilometres an hour. How many kilometres remain?';
const tools = [{ type: 'function', function: { name: 'calculator' } }];
const ask = (content: unknown = question) => [{ role: 'user', content }];

const models = new Map<string, Promise<MockModel>>();
afterAll(() => Promise.all([...models.values()].map(async (model) => (await model).close())));

/** Making a server is slow next to a request, and the scripted model keeps nothing between requests. */
function modelWith(options: Partial<ScriptedBehaviour>): Promise<MockModel> {
  const name = JSON.stringify(options);
  const model =
    models.get(name) ?? startMockModel({ reply: scriptedReply({ errorRate: 0, seed: 1, ...options }) });
  models.set(name, model);
  return model;
}

async function complete(body: object, options: Partial<ScriptedBehaviour> = {}, apiKey = 'session-1') {
  const { baseUrl } = await modelWith(options);
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted-math', ...body }),
  });
  expect(response.status).toBe(200);
  const message = ((await response.json()) as ChatCompletion).choices[0]?.message;
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

  it('continues with what the tool answered, right or not', async () => {
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
