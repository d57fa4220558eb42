import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import Anthropic from '@anthropic-ai/sdk';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { OpenAIProvider, Agent as OpenAIAgent, Runner } from '@openai/agents';
import { Agent as StrandsAgent } from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';

/** Asks a model once and throws what its client throws. The URL is an origin; the time limit is of the whole call. */
export type ModelCall = (origin: string, timeoutMs: number) => Promise<unknown>;

const messages = [{ role: 'user' as const, content: 'hi' }];
const shared = { apiKey: 'sk-test', maxRetries: 0 };

/** One call for each client that agents are written with, as its documentation has it. */
export const modelCalls: Record<string, ModelCall> = {
  openai: (origin, timeout) =>
    new OpenAI({ ...shared, baseURL: `${origin}/v1`, timeout }).chat.completions.create({
      model: 'm',
      messages,
    }),
  'openai, streamed': async (origin, timeout) => {
    const client = new OpenAI({ ...shared, baseURL: `${origin}/v1`, timeout });
    return readAll(await client.chat.completions.create({ model: 'm', messages, stream: true }));
  },
  anthropic: (origin, timeout) =>
    new Anthropic({ ...shared, baseURL: origin, timeout }).messages.create({
      model: 'm',
      max_tokens: 5,
      messages,
    }),
  'AI SDK': (origin, timeoutMs) =>
    generateText({
      model: createOpenAICompatible({ name: 'rl', baseURL: `${origin}/v1`, apiKey: 'k' })('m'),
      prompt: 'hi',
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
    }),
  'AI SDK, Responses': (origin, timeoutMs) =>
    generateText({
      model: createOpenAI({ baseURL: `${origin}/v1`, apiKey: 'k' })('m'),
      prompt: 'hi',
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
    }),
  'AI SDK, streamed': (origin, timeoutMs) =>
    Promise.resolve(
      streamText({
        model: createOpenAICompatible({ name: 'rl', baseURL: `${origin}/v1`, apiKey: 'k' })('m'),
        prompt: 'hi',
        maxRetries: 0,
        abortSignal: AbortSignal.timeout(timeoutMs),
        onError: () => undefined,
      }).text,
    ),
  'Strands, OpenAI': (origin, timeout) =>
    new StrandsAgent({
      printer: false,
      retryStrategy: null,
      model: new OpenAIModel({
        api: 'chat',
        modelId: 'm',
        apiKey: 'k',
        clientConfig: { baseURL: `${origin}/v1`, maxRetries: 0, timeout },
      }),
    }).invoke('hi'),
  'Strands, Anthropic': (origin, timeout) =>
    new StrandsAgent({
      printer: false,
      retryStrategy: null,
      model: new AnthropicModel({
        modelId: 'm',
        maxTokens: 5,
        apiKey: 'k',
        clientConfig: { baseURL: origin, maxRetries: 0, timeout },
      }),
    }).invoke('hi'),
  LangChain: (origin, timeout) =>
    new ChatOpenAI({ ...shared, model: 'm', timeout, configuration: { baseURL: `${origin}/v1` } }).invoke(
      'hi',
    ),
  'LangChain, streamed': async (origin, timeout) => {
    const model = new ChatOpenAI({
      ...shared,
      model: 'm',
      timeout,
      configuration: { baseURL: `${origin}/v1` },
    });
    return readAll(await model.stream('hi'));
  },
  'OpenAI Agents': (origin, timeout) => {
    const openAIClient = new OpenAI({ ...shared, baseURL: `${origin}/v1`, timeout });
    const modelProvider = new OpenAIProvider({ openAIClient: openAIClient as never, useResponses: false });
    const agent = new OpenAIAgent({ name: 'a', model: 'm' });
    return new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'hi');
  },
  // As axios, got and node-fetch send.
  'node:http': async (origin, timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const call = request(`${origin}/v1/chat/completions`, { method: 'POST', signal }).end('{}');
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const said = await text(answer);
    if (answer.statusCode !== 200)
      throw Object.assign(new Error(`the model said ${answer.statusCode}`), { status: answer.statusCode });
    return said;
  },
  fetch: async (origin, timeoutMs) => {
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw Object.assign(new Error(`the model said ${answer.status}`), { status: answer.status });
    return text;
  },
};

async function readAll(parts: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
