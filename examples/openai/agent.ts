// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = zodFunction({
  name: 'calculator',
  description: 'Computes one sum, difference, product or quotient.',
  parameters: z.object({ a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() }),
  function: ({ a, operator, b }) => String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]),
});

/** The client of your users' model, or the one that this rollout asks. Made for each request. */
function clientFor({ rollout, sessionId }: RequestContext): OpenAI {
  if (rollout?.baseUrl === undefined) return new OpenAI();
  return new OpenAI({ baseURL: rollout.baseUrl, apiKey: rollout.apiKey ?? sessionId });
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const run = clientFor(context).chat.completions.runTools(
    {
      ...context.rollout?.samplingParams,
      model: context.rollout?.modelId ?? 'gpt-5-mini',
      messages: [
        { role: 'system', content: context.prompt('system', instructions) },
        { role: 'user', content: prompt },
      ],
      tools: [calculator],
    },
    { signal: context.signal },
  );
  return (await run.finalContent()) ?? '';
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
