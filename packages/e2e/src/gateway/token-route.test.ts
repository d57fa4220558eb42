import { tokenEngine } from '@art/token-engine';
import { describe, expect, it } from 'vitest';
import { anthropicMessages } from './agents/anthropic-node.ts';
import { openaiChat, openaiResponses } from './agents/openai-node.ts';
import { strands } from './agents/strands.ts';
import { vercelAi } from './agents/vercel-ai.ts';
import { expectSameTokens } from './compare-traces.ts';
import { startGatewayBed } from './gateway-bed.fixture.ts';
import { expectedCalls, finalText, SumTools } from './sums-script.ts';

// Without streams: the parsers decide what is said once the turn is whole.
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

describe.each([
  ['SGLang, cumulative events', 'sglang', false],
  ['SGLang, incremental events', 'sglang', true],
  ['vLLM', 'vllm', false],
] as const)('token in, token out: %s', (_name, engine, incremental) => {
  const transport = tokenEngine({ engine, toolCallParser: 'qwen', reasoningParser: 'qwen3' });

  it.each(agents)('%s', { timeout: 30_000 }, async (_agentName, agent) => {
    const bed = await startGatewayBed({ flavour: engine, incremental }, { transport });
    const { baseUrl, anthropicBaseUrl } = await bed.control.createSession({ sessionId: 's' });
    const tools = new SumTools();
    const at = { openaiUrl: baseUrl, anthropicUrl: anthropicBaseUrl, apiKey: 'unused' };
    expect(await agent(at, tools)).toBe(finalText);
    expect(tools.calls).toEqual(expectedCalls);
    const route = engine === 'sglang' ? '/generate' : '/inference/v1/generate';
    expect(bed.engine.calls.map((call) => call.path)).toEqual([route, route, route]);
    expectSameTokens(await bed.traces('s'), bed.engine.calls);
  });

  it('streams plain text as it comes, without parsers', async () => {
    const content = 'Plain text 🧮 with a 🎉, and no parser that would have to see the whole of it first.';
    const bed = await startGatewayBed(
      { flavour: engine, incremental, answer: () => ({ content }) },
      { transport: tokenEngine({ engine }) },
    );
    const reply = await fetch(`${bed.gateway.url}/sessions/s/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true }),
    });
    const said = [...(await reply.text()).matchAll(/^data: (\{.*)$/gm)].map(
      ([, data]) => (JSON.parse(data!) as Chunk).choices[0]?.delta.content ?? '',
    );
    expect(said.join('')).toBe(content);
    expectSameTokens(await bed.traces('s'), bed.engine.calls);
  });
});

interface Chunk {
  choices: { delta: { content?: string | null } }[];
}
