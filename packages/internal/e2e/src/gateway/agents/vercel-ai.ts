import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool, type LanguageModel, type ToolSet } from 'ai';
import { z } from 'zod';
import type { AgentAddress, SumAgent } from '../agent-address.ts';
import { question, type SumTools } from '../sums-script.ts';

export type VercelProvider = 'openai' | 'openai.chat' | 'openai-compatible';

/** Vercel's AI SDK; its `openai` provider speaks the Responses wire. */
export function vercelAi(options: { provider: VercelProvider; stream: boolean }): SumAgent {
  return async (at, tools) => {
    const call = {
      model: modelOf(options.provider, at),
      prompt: question,
      tools: toolsOf(tools),
      stopWhen: stepCountIs(5),
      maxRetries: 0,
    };
    if (options.stream) return streamText(call).text;
    return (await generateText(call)).text;
  };
}

function modelOf(provider: VercelProvider, { openaiUrl: baseURL, apiKey }: AgentAddress): LanguageModel {
  if (provider === 'openai-compatible') {
    return createOpenAICompatible({ name: 'rl', baseURL, apiKey })('mock-model');
  }
  const openai = createOpenAI({ baseURL, apiKey });
  return provider === 'openai' ? openai('mock-model') : openai.chat('mock-model');
}

function toolsOf(tools: SumTools): ToolSet {
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  return {
    add: tool({ description: 'add two numbers', inputSchema, execute: ({ a, b }) => tools.add(a, b) }),
    multiply: tool({
      description: 'multiply two numbers',
      inputSchema,
      execute: ({ a, b }) => tools.multiply(a, b),
    }),
  };
}
