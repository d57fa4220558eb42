// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = tool(
  ({ a, operator, b }) => String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]),
  {
    name: 'calculator',
    description: 'Computes one sum, difference, product or quotient.',
    schema: z.object({ a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() }),
  },
);

/** The model of your users, or the one that this rollout asks. Made for each request. */
function modelFor({ rollout, sessionId }: RequestContext): ChatOpenAI {
  const model = rollout?.modelId ?? 'gpt-5-mini';
  if (rollout?.baseUrl === undefined) return new ChatOpenAI({ model });
  return new ChatOpenAI({
    model,
    apiKey: rollout.apiKey ?? sessionId,
    configuration: { baseURL: rollout.baseUrl },
    modelKwargs: rollout.samplingParams,
  });
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const agent = createAgent({
    model: modelFor(context),
    tools: [calculator],
    systemPrompt: context.prompt('system', instructions),
  });
  const { messages } = await agent.invoke({ messages: prompt }, { signal: context.signal });
  return messages.at(-1)?.text ?? '';
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
