// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = createTool({
  id: 'calculator',
  description: 'Computes one sum, difference, product or quotient.',
  inputSchema: z.object({ a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() }),
  execute: async ({ a, operator, b }) => String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]),
});

/** The model of your users, or the one that this rollout asks. Made for each request. */
function modelFor({ rollout, sessionId }: RequestContext): AgentConfig['model'] {
  const modelId = rollout?.modelId ?? 'gpt-5-mini';
  if (rollout?.baseUrl === undefined) return `openai/${modelId}`;
  return { id: `rollout/${modelId}`, url: rollout.baseUrl, apiKey: rollout.apiKey ?? sessionId };
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const agent = new Agent({
    id: 'maths',
    name: 'Maths',
    instructions: context.prompt('system', instructions),
    model: modelFor(context),
    tools: { calculator },
  });
  // They came as JSON; Mastra's type wants to be told so.
  const samplingParams = { ...context.rollout?.samplingParams } as Record<string, number>;
  const { text } = await agent.generate(prompt, {
    maxSteps: 10,
    abortSignal: context.signal,
    providerOptions: { rollout: samplingParams },
  });
  // Mastra answers with an empty text when it was cancelled.
  context.signal.throwIfAborted();
  return text;
}

const app = new AgentCoreRLApp({
  invocationHandler: {
    // A trainer sends the right answer with the problem, your users do not.
    requestSchema: z.object({ prompt: z.string(), answer: z.string().optional() }),
    process: async ({ prompt, answer }, context) => {
      const text = await solve(prompt, context);
      if (answer === undefined) return { text };
      return { text, reward: await reward.compute({ responseText: text, groundTruth: answer }) };
    },
  },
});

void app.run();
