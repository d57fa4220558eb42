// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import { Agent, tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = tool({
  name: 'calculator',
  description: 'Computes one sum, difference, product or quotient.',
  inputSchema: z.object({ a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() }),
  callback: ({ a, operator, b }) => String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]),
});

/** The model of your users, or the one that this rollout asks. Made for each request. */
function modelFor({ rollout, sessionId }: RequestContext): OpenAIModel {
  const modelId = rollout?.modelId ?? 'gpt-5-mini';
  if (rollout?.baseUrl === undefined) return new OpenAIModel({ api: 'chat', modelId });
  return new OpenAIModel({
    api: 'chat',
    modelId,
    apiKey: rollout.apiKey ?? sessionId,
    clientConfig: { baseURL: rollout.baseUrl },
    params: rollout.samplingParams,
  });
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const agent = new Agent({
    model: modelFor(context),
    systemPrompt: context.prompt('system', instructions),
    tools: [calculator],
    printer: false,
  });
  const { lastMessage } = await agent.invoke(prompt, { cancelSignal: context.signal });
  // Strands answers "Cancelled by user" as if the model had said so.
  context.signal.throwIfAborted();
  return lastMessage.content.map((block) => (block.type === 'textBlock' ? block.text : '')).join('');
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
