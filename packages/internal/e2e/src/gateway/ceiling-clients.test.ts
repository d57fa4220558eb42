import Anthropic from '@anthropic-ai/sdk';
import { createOpenAI } from '@ai-sdk/openai';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { expect, it, onTestFinished } from 'vitest';

/** A client of a model, and one call of it. */
type Client = (
  urls: { openai: string; anthropic: string },
  fetch: typeof globalThis.fetch,
) => Promise<unknown>;

const messages = [{ role: 'user' as const, content: 'hello' }];
const clients: Record<string, Client> = {
  openai: ({ openai: baseURL }, fetch) =>
    new OpenAI({ baseURL, apiKey: 'none', fetch }).chat.completions.create({ model: 'm', messages }),
  'openai, streamed': ({ openai: baseURL }, fetch) =>
    new OpenAI({ baseURL, apiKey: 'none', fetch }).chat.completions.create({
      model: 'm',
      messages,
      stream: true,
    }),
  anthropic: ({ anthropic: baseURL }, fetch) =>
    new Anthropic({ baseURL, apiKey: 'none', fetch }).messages.create({
      model: 'm',
      max_tokens: 1,
      messages,
    }),
  'AI SDK': ({ openai: baseURL }, fetch) =>
    generateText({ model: createOpenAI({ baseURL, apiKey: 'none', fetch }).chat('m'), messages }),
};

it.each(Object.entries(clients))('%s does not try again where a ceiling is reached', async (_, ask) => {
  const gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    workers: [{ url: 'http://127.0.0.1:9', flavour: 'openai' }],
  });
  onTestFinished(() => gateway.close());
  const control = new GatewayClient({ url: gateway.url });
  await control.createTrajectory({ sessionId: 'one', ceilings: { sample: { calls: 0 } } });
  let calls = 0;
  const counted: typeof globalThis.fetch = (...call) => {
    calls += 1;
    return fetch(...call);
  };
  const urls = { openai: control.baseUrlOf('one'), anthropic: control.anthropicBaseUrlOf('one') };
  await expect(ask(urls, counted)).rejects.toThrow(/ceiling of the session is reached/);
  expect(calls).toBe(1);
});
