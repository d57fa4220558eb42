import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { z } from 'zod';
import type { AgentAddress, SumAgent } from '../agent-address.ts';
import { question, sumToolNames, type SumTools } from '../sums-script.ts';

/** OpenAI Agents JS on the Responses wire, its default, or on the chat wire. */
export function openaiAgentsJs(options: { useResponses: boolean; stream: boolean }): SumAgent {
  return async (at, tools) => {
    const runner = new Runner({ modelProvider: providerOf(at, options), tracingDisabled: true });
    const agent = new Agent({
      name: 'sums',
      instructions: 'Use the tools.',
      model: 'mock-model',
      tools: toolsOf(tools),
    });
    if (!options.stream) return (await runner.run(agent, question)).finalOutput ?? '';
    const run = await runner.run(agent, question, { stream: true });
    for await (const _event of run) {
      // What it tells on the way is read to its end, as an application would.
    }
    await run.completed;
    return run.finalOutput ?? '';
  };
}

function providerOf(at: AgentAddress, { useResponses }: { useResponses: boolean }): OpenAIProvider {
  return new OpenAIProvider({ baseURL: at.openaiUrl, apiKey: at.apiKey, useResponses });
}

function toolsOf(tools: SumTools): ReturnType<typeof tool>[] {
  return sumToolNames.map((name) =>
    tool({
      name,
      description: `${name} two numbers`,
      parameters: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => tools[name](a, b),
    }),
  ) as ReturnType<typeof tool>[];
}
