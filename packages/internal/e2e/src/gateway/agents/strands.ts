import { Agent, tool } from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { z } from 'zod';
import type { AgentAddress, SumAgent } from '../agent-address.ts';
import { question, sumToolNames } from '../sums-script.ts';

/** Strands on OpenAI's chat wire or Anthropic's; it always streams. */
export function strands(provider: 'openai' | 'anthropic'): SumAgent {
  return async (at, tools) => {
    const agent = new Agent({
      model: provider === 'openai' ? openaiModel(at) : anthropicModel(at),
      printer: false,
      tools: sumToolNames.map((name) =>
        tool({
          name,
          description: `${name} two numbers`,
          inputSchema: z.object({ a: z.number(), b: z.number() }),
          callback: ({ a, b }) => tools[name](a, b),
        }),
      ),
    });
    const result = await agent.invoke(question);
    const blocks = result.lastMessage.content;
    return blocks.map((block) => (block.type === 'textBlock' ? block.text : '')).join('');
  };
}

function openaiModel({ openaiUrl, apiKey }: AgentAddress): OpenAIModel {
  return new OpenAIModel({
    api: 'chat',
    modelId: 'mock-model',
    apiKey,
    clientConfig: { baseURL: openaiUrl },
  });
}

function anthropicModel({ anthropicUrl, apiKey }: AgentAddress): AnthropicModel {
  return new AnthropicModel({
    modelId: 'mock-model',
    maxTokens: 500,
    apiKey,
    clientConfig: { baseURL: anthropicUrl },
  });
}
