import { describe, expect, it } from 'vitest';
import { anthropicMessages } from './agents/anthropic-node.ts';
import { openaiChat, openaiResponses } from './agents/openai-node.ts';
import { strands } from './agents/strands.ts';
import { vercelAi } from './agents/vercel-ai.ts';
import { expectSameTokens } from './compare-captures.ts';
import { startGatewayBed } from './gateway-bed.fixture.ts';
import { expectedCalls, finalText, SumTools } from './sums-script.ts';

const agents = [
  ['openai, chat', openaiChat({ stream: false })],
  ['openai, chat, streamed', openaiChat({ stream: true })],
  ['openai, responses', openaiResponses({ stream: false })],
  ['openai, responses, streamed', openaiResponses({ stream: true })],
  ['@anthropic-ai/sdk', anthropicMessages({ stream: false })],
  ['@anthropic-ai/sdk, streamed', anthropicMessages({ stream: true })],
  ['Vercel openai-compatible, streamed', vercelAi({ provider: 'openai-compatible', stream: true })],
  ['Strands, Anthropic', strands('anthropic')],
] as const;

describe.each(['vllm', 'sglang'] as const)('%s: the turns of an agent are one row', (flavour) => {
  it.each(agents)('%s', async (_agentName, agent) => {
    const bed = await startGatewayBed({ flavour }, { cumulativeTokenMode: true });
    const { baseUrl, anthropicBaseUrl } = await bed.control.createSession({ sessionId: 's' });
    const tools = new SumTools();
    const at = { openaiUrl: baseUrl, anthropicUrl: anthropicBaseUrl, apiKey: 'unused' };
    expect(await agent(at, tools)).toBe(finalText);
    expect(tools.calls).toEqual(expectedCalls);
    const { calls } = bed.engine;
    expect(calls.map((call) => call.path)).toEqual(calls.map(() => '/v1/chat/completions'));
    expectSameTokens(await bed.captures('s'), calls);
    // Without it each would be its own row: the engine's template does not write the tokens that were sampled.
    const rows = await bed.control.finishTrajectory('s');
    expect(rows.map((row) => row.num_turns)).toEqual([calls.length]);
  });
});
