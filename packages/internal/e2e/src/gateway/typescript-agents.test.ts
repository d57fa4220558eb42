import type { JsonObject } from '@art/ground';
import { readConversation, toAgentSpans } from '@art/trajectories';
import { describe, expect, it } from 'vitest';
import type { AgentAddress, SumAgent } from './agent-address.ts';
import { anthropicMessages } from './agents/anthropic-node.ts';
import { openaiAgentsJs } from './agents/openai-agents-js.ts';
import { openaiChat, openaiResponses } from './agents/openai-node.ts';
import { strands } from './agents/strands.ts';
import { vercelAi } from './agents/vercel-ai.ts';
import { expectSameTokens } from './compare-captures.ts';
import { startGatewayBed, type GatewayBed } from './gateway-bed.fixture.ts';
import { readSpans } from './read-spans.ts';
import { expectedCalls, finalText, question, solveSums, solveSumsOneByOne, SumTools } from './sums-script.ts';

const agents: readonly (readonly [string, SumAgent])[] = [
  ['openai, chat', openaiChat({ stream: false })],
  ['openai, chat, streamed', openaiChat({ stream: true })],
  ['openai, responses', openaiResponses({ stream: false })],
  ['openai, responses, streamed', openaiResponses({ stream: true })],
  ['@anthropic-ai/sdk', anthropicMessages({ stream: false })],
  ['@anthropic-ai/sdk, streamed', anthropicMessages({ stream: true })],
  ['@anthropic-ai/sdk, beta', anthropicMessages({ stream: false, beta: true })],
  ['@anthropic-ai/sdk, beta, streamed', anthropicMessages({ stream: true, beta: true })],
  ['Vercel openai', vercelAi({ provider: 'openai', stream: false })],
  ['Vercel openai, streamed', vercelAi({ provider: 'openai', stream: true })],
  ['Vercel openai.chat', vercelAi({ provider: 'openai.chat', stream: false })],
  ['Vercel openai.chat, streamed', vercelAi({ provider: 'openai.chat', stream: true })],
  ['Vercel openai-compatible', vercelAi({ provider: 'openai-compatible', stream: false })],
  ['Vercel openai-compatible, streamed', vercelAi({ provider: 'openai-compatible', stream: true })],
  ['Strands, OpenAI', strands('openai')],
  ['Strands, Anthropic', strands('anthropic')],
  ['OpenAI Agents, responses', openaiAgentsJs({ useResponses: true, stream: false })],
  ['OpenAI Agents, responses, streamed', openaiAgentsJs({ useResponses: true, stream: true })],
  ['OpenAI Agents, chat', openaiAgentsJs({ useResponses: false, stream: false })],
  ['OpenAI Agents, chat, streamed', openaiAgentsJs({ useResponses: false, stream: true })],
];

type AddressOf = (bed: GatewayBed, sessionId: string) => Promise<AgentAddress>;

/** The session is in the URL, and the key is none of ours. */
const byUrl: AddressOf = async ({ control }, sessionId) => {
  const { baseUrl, anthropicBaseUrl } = await control.createSession({ sessionId });
  return { openaiUrl: baseUrl, anthropicUrl: anthropicBaseUrl, apiKey: 'unused' };
};

/** The session is in the key, and the URL is everybody's. */
const byKey: AddressOf = async ({ control, gateway }, sessionId) => {
  const { apiKey } = await control.createSession({ sessionId });
  return { openaiUrl: `${gateway.url}/v1`, anthropicUrl: gateway.url, apiKey: apiKey! };
};

describe.each([
  ['vllm', 'by URL', byUrl],
  ['sglang', 'by key', byKey],
] as const)('agents in TypeScript before %s, session %s', (flavour, _by, addressOf) => {
  it.each(agents)('%s', async (name, agent) => {
    // Strands 1.19 takes streamed calls that are made at once for one, no matter who sends them.
    const [answer, turns] = name === 'Strands, OpenAI' ? [solveSumsOneByOne, 4] : [solveSums, 3];
    const bed = await startGatewayBed({ flavour, answer });
    const tools = new SumTools();
    const text = await agent(await addressOf(bed, 'rollout-1'), tools);
    expect(text).toBe(finalText);
    expect(tools.calls).toEqual(expectedCalls);
    expect(bed.engine.calls).toHaveLength(turns);
    const captures = await bed.captures('rollout-1');
    expectSameTokens(captures, bed.engine.calls);
    const conversation = readConversation(captures, []);
    const spans = toAgentSpans({ id: 'r', sessionId: 'rollout-1', conversation }) as JsonObject[];
    expect(readSpans(spans)).toMatchObject([
      {
        agents: [{ asked: question, answered: finalText, tools: ['add', 'multiply'] }],
        tools: [
          { name: 'add', arguments: { a: 17, b: 25 }, result: '42' },
          { name: 'add', arguments: { a: 30, b: 8 }, result: '38' },
          { name: 'multiply', arguments: { a: 42, b: 38 }, result: '1596' },
        ],
      },
    ]);
  });
});
