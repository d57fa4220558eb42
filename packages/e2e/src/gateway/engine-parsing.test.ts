import { tokenEngine } from '@art/token-engine';
import { describe, expect, it } from 'vitest';
import { anthropicMessages } from './agents/anthropic-node.ts';
import { openaiAgentsJs } from './agents/openai-agents-js.ts';
import { openaiChat, openaiResponses } from './agents/openai-node.ts';
import { vercelAi } from './agents/vercel-ai.ts';
import { expectSameTokens } from './compare-traces.ts';
import { startGatewayBed } from './gateway-bed.fixture.ts';
import { expectedCalls, finalText, SumTools } from './sums-script.ts';

const agents = [
  ['openai, chat', openaiChat({ stream: false })],
  ['openai, chat, streamed', openaiChat({ stream: true })],
  ['openai, responses, streamed', openaiResponses({ stream: true })],
  ['@anthropic-ai/sdk, streamed', anthropicMessages({ stream: true })],
  ['Vercel openai-compatible, streamed', vercelAi({ provider: 'openai-compatible', stream: true })],
  ['OpenAI Agents', openaiAgentsJs({ useResponses: false, stream: true })],
] as const;

// No tokenizer, template or parser in the gateway: all of them are the engine's.
describe.each(['whole', 'stream'] as const)('vLLM with --enable-scale-out, derender: %s', (scaleOut) => {
  it.each(agents)('%s', { timeout: 30_000 }, async (_name, agent) => {
    const bed = await startGatewayBed(
      { scaleOut },
      { transport: tokenEngine({ engine: 'vllm', toolCallParser: 'engine' }) },
    );
    const { baseUrl, anthropicBaseUrl } = await bed.control.createSession({ sessionId: 's' });
    const tools = new SumTools();
    const at = { openaiUrl: baseUrl, anthropicUrl: anthropicBaseUrl, apiKey: 'unused' };
    expect(await agent(at, tools)).toBe(finalText);
    expect(tools.calls).toEqual(expectedCalls);
    expect(bed.engine.calls.map((call) => call.path)).toEqual(Array(3).fill('/inference/v1/generate'));
    const traces = await bed.traces('s');
    expectSameTokens(traces, bed.engine.calls);
    expect(traces.map((trace) => trace.response_message['reasoning_content'])).toEqual([
      'Two sums first, then their product.',
      'Both sums are there.',
      undefined,
    ]);
  });

  it('several answers to one prompt, each with its trace', async () => {
    const bed = await startGatewayBed(
      { scaleOut, answer: (_request, _call, choice) => ({ content: `Answer ${choice} 🎉` }) },
      { transport: tokenEngine({ engine: 'vllm' }) },
    );
    const body = { model: 'm', messages: [{ role: 'user', content: 'x' }], n: 3 };
    const reply = await fetch(`${bed.gateway.url}/sessions/s/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
    expect(choices.map((choice) => choice.message.content)).toEqual([
      'Answer 0 🎉',
      'Answer 1 🎉',
      'Answer 2 🎉',
    ]);
    expectSameTokens(await bed.traces('s'), bed.engine.calls);
  });
});

describe('vLLM with its scale-out routes switched off', () => {
  it.each([openaiChat({ stream: false }), openaiChat({ stream: true })])(
    'samples on its completions, and the tokens are exact',
    { timeout: 30_000 },
    async (agent) => {
      const bed = await startGatewayBed(
        { scaleOut: 'off', answer: () => ({ content: 'Seven 🎉.' }) },
        { transport: tokenEngine({ engine: 'vllm' }) },
      );
      const { baseUrl, anthropicBaseUrl } = await bed.control.createSession({ sessionId: 's' });
      const at = { openaiUrl: baseUrl, anthropicUrl: anthropicBaseUrl, apiKey: 'unused' };
      expect(await agent(at, new SumTools())).toBe('Seven 🎉.');
      expect(bed.engine.calls.map((call) => call.path)).toEqual(['/v1/completions']);
      expectSameTokens(await bed.traces('s'), bed.engine.calls);
    },
  );
});

it.each([undefined, 'off'] as const)(
  'an engine without the routes (%s) is named as the reason, and nothing is sampled',
  async (scaleOut) => {
    const bed = await startGatewayBed(
      { ...(scaleOut !== undefined && { scaleOut }) },
      { transport: tokenEngine({ engine: 'vllm', toolCallParser: 'engine' }) },
    );
    const reply = await fetch(`${bed.gateway.url}/sessions/s/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
    });
    expect(reply.status).toBe(501);
    expect(await reply.text()).toContain('--enable-scale-out');
    expect(bed.engine.calls).toEqual([]);
    expect(await bed.traces('s')).toEqual([]);
  },
);
