import type { JsonObject } from '@art/ground';
import type { CaseAgent, EngineCase } from './engine-case.ts';
import type { Said } from './read-said.ts';

export const modelId = 'policy';

const question = { role: 'user', content: 'Name a city, please. Grüße 🙂' };
const maxTokens = 12;
const parameters = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Oslo', 'Rome'] } },
  required: ['city'],
  additionalProperties: false,
};
const weather = { name: 'weather', description: 'Weather of a city', parameters };
const chatTools = [{ type: 'function', function: weather }];

// A model of random weights calls no tool by itself. With a grammar of one sentence it can only say this; the rest is vLLM's own.
const saysCall = {
  structured_outputs: {
    choice: ['Let me see.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'],
  },
};
const saysTwoCalls = {
  structured_outputs: {
    choice: [
      '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "weather", "arguments": {"city": "Rome"}}\n</tool_call>',
    ],
  },
};
const longAnswer = { max_tokens: 100 };
// A model of random weights hardly ever ends a turn by itself, and only a turn that was ended continues by its tokens.
export const endsSoon = { logit_bias: { '151645': 10 } };

const chat = '/v1/chat/completions';
const streams = [false, true] as const;

export const engineCases: readonly EngineCase[] = streams.flatMap((stream) => [
  chatCase('chat, temperature 0', { stream, temperature: 0 }),
  chatCase('chat, temperature 1', { stream, temperature: 1, seed: 11 }),
  chatCase('chat, n = 3', { stream, temperature: 1, seed: 12, n: 3 }),
  chatCase('chat, the agent asks for everything', {
    stream,
    temperature: 1,
    seed: 13,
    logprobs: true,
    top_logprobs: 2,
    return_token_ids: true,
    ...(stream && { stream_options: { include_usage: true, continuous_usage_stats: true } }),
  }),
  chatCase('chat, one token', { stream, temperature: 1, seed: 14, max_tokens: 1 }),
  biased(chatCase('chat, nothing said', { stream, logit_bias: { '151645': 100 } })),
  toolsCase('chat, tools', stream),
  biased({
    name: named('chat, two calls at once', stream),
    samplingParams: { seed: 16, ...saysTwoCalls, ...longAnswer },
    play: async (agent: CaseAgent) => void (await agent.post(chat, chatBody({ stream, tools: chatTools }))),
  }),
  biased({
    name: named('chat, a call that is forced', stream),
    samplingParams: { seed: 17, ...longAnswer },
    play: async (agent: CaseAgent) =>
      void (await agent.post(chat, chatBody({ stream, tools: chatTools, tool_choice: 'required' }))),
  }),
  {
    name: named('completions', stream),
    play: async (agent: CaseAgent) =>
      void (await agent.post('/v1/completions', completionBody({ stream, seed: 18 }))),
  },
  {
    name: named('completions, n = 2, of token ids', stream),
    play: async (agent: CaseAgent) =>
      void (await agent.post(
        '/v1/completions',
        completionBody({ stream, seed: 19, n: 2, prompt: [40, 1079, 264], logprobs: 2 }),
      )),
  },
  {
    name: named('Responses', stream),
    samplingParams: { seed: 20 },
    play: async (agent: CaseAgent) => {
      await agent.post('/v1/responses', responsesBody({ stream, instructions: 'Be short.' }));
    },
  },
  biased({
    name: named('Responses, tools', stream),
    samplingParams: { seed: 21, ...saysCall, ...longAnswer },
    play: async (agent: CaseAgent) => {
      await agent.post('/v1/responses', responsesBody({ stream, tools: [{ type: 'function', ...weather }] }));
    },
  }),
  {
    name: named('Messages', stream),
    samplingParams: { seed: 22 },
    play: async (agent: CaseAgent) => {
      await agent.post('/v1/messages', messagesBody({ stream, system: 'Be short.' }));
    },
  },
  biased({
    name: named('Messages, tools', stream),
    samplingParams: { seed: 23, ...saysCall, ...longAnswer },
    play: async (agent: CaseAgent) => {
      const tools = [{ name: 'weather', description: weather.description, input_schema: parameters }];
      await agent.post('/v1/messages', messagesBody({ stream, tools }));
    },
  }),
  {
    name: named('refusals', stream),
    play: async (agent: CaseAgent) => {
      await agent.post(chat, chatBody({ stream, max_tokens: 100_000 }));
      await agent.post(chat, chatBody({ stream, model: 'unknown' }));
      await agent.post(chat, chatBody({ stream, temperature: -3 }));
      await agent.post(chat, chatBody({ stream, messages: 'none' }));
      await agent.post(
        chat,
        chatBody({ stream, messages: [{ role: 'user', content: 'long '.repeat(2_000) }] }),
      );
    },
  } satisfies EngineCase,
  biased({
    name: named('turns that continue', stream),
    cumulative: true,
    samplingParams: { seed: 24, ...endsSoon, ...longAnswer },
    play: async (agent: CaseAgent) => {
      const messages: JsonObject[] = [question];
      for (const next of ['And another?', 'The last one.', undefined]) {
        const said = await agent.post(chat, chatBody({ stream, messages }));
        messages.push(echo(said));
        if (next !== undefined) messages.push({ role: 'user', content: next });
      }
    },
  }),
  biased({
    name: named('turns that continue, tools', stream),
    cumulative: true,
    samplingParams: { seed: 25, ...longAnswer },
    play: async (agent: CaseAgent) => {
      const asked = { stream, tools: chatTools };
      const said = await agent.post(chat, chatBody({ ...asked, ...saysTwoCalls }));
      const results = ['{"celsius": -3.0}', '{"celsius": 21.0}'].map((content, at) => ({
        role: 'tool',
        tool_call_id: `call_${at + 1}`,
        content,
      }));
      await agent.post(chat, chatBody({ ...asked, messages: [question, echo(said), ...results] }));
    },
  }),
]);

function named(name: string, stream: boolean): string {
  return stream ? `${name}, streamed` : name;
}

function biased(engineCase: EngineCase): EngineCase {
  return { ...engineCase, isUnbiased: false };
}

function chatBody(more: JsonObject): JsonObject {
  return { model: modelId, messages: [question], max_tokens: maxTokens, temperature: 1, ...more };
}

function completionBody(more: JsonObject): JsonObject {
  return { model: modelId, prompt: 'Once upon', max_tokens: maxTokens, temperature: 1, ...more };
}

function responsesBody(more: JsonObject): JsonObject {
  const { content } = question;
  return { model: modelId, input: content, max_output_tokens: maxTokens, temperature: 1, ...more };
}

function messagesBody(more: JsonObject): JsonObject {
  return chatBody(more);
}

function chatCase(name: string, more: JsonObject & { stream: boolean }): EngineCase {
  return {
    name: named(name, more.stream),
    play: async (agent: CaseAgent) => void (await agent.post(chat, chatBody(more))),
  };
}

/** A call, what the tool said, and an answer. */
function toolsCase(name: string, stream: boolean): EngineCase {
  return biased({
    name: named(name, stream),
    samplingParams: { seed: 15, ...longAnswer },
    play: async (agent: CaseAgent) => {
      const asked = { stream, tools: chatTools };
      const said = await agent.post(chat, chatBody({ ...asked, ...saysCall }));
      const result = { role: 'tool', tool_call_id: 'call_1', content: '{"celsius": -3.0}' };
      const messages = [question, echo(said), result];
      await agent.post(chat, chatBody({ ...asked, messages, max_tokens: maxTokens }));
    },
  });
}

/** The assistant's message as an agent puts it into its next call. */
function echo({ choices: [choice], error }: Said): JsonObject {
  if (choice === undefined) throw new Error(`Expected an answer, got ${JSON.stringify(error)}`);
  const { text, calls } = choice;
  const toolCalls = calls.map(({ name, arguments: values }, at) => ({
    id: `call_${at + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  }));
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: toolCalls }),
  };
}
