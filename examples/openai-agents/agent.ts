// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = tool({
  name: 'calculator',
  description: 'Computes one sum, difference, product or quotient.',
  parameters: z.object({ a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() }),
  execute: ({ a, operator, b }) => String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]),
});

const agent = new Agent({ name: 'maths', instructions, tools: [calculator] });

/** Asks the model of your users, or the one of this rollout. Made for each request. */
function runnerFor({ rollout, sessionId }: RequestContext): Runner {
  const model = rollout?.modelId ?? 'gpt-5-mini';
  if (rollout?.baseUrl === undefined) return new Runner({ model });
  return new Runner({
    model,
    modelProvider: new OpenAIProvider({
      baseURL: rollout.baseUrl,
      apiKey: rollout.apiKey ?? sessionId,
      useResponses: false,
    }),
    modelSettings: { providerData: rollout.samplingParams },
    tracingDisabled: true,
  });
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const instructed = context.prompt('system', instructions);
  const prompted = agent.clone({ instructions: instructed });
  const { finalOutput } = await runnerFor(context).run(prompted, prompt, { signal: context.signal });
  return finalOutput ?? '';
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
