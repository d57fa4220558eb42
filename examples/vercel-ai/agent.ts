import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import { generateText, type LanguageModel, stepCountIs, tool } from 'ai';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = tool({
  description: 'Computes one sum, difference, product or quotient.',
  inputSchema: z.object({ a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() }),
  execute: ({ a, operator, b }) => String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]),
});

/** The model of your users, or the one that this rollout asks. Made for each request. */
function modelFor({ rollout, sessionId }: RequestContext): LanguageModel {
  const modelId = rollout?.modelId ?? 'gpt-5-mini';
  if (rollout?.baseUrl === undefined) return createOpenAI().chat(modelId);
  const provider = createOpenAICompatible({
    name: 'rollout',
    baseURL: rollout.baseUrl,
    apiKey: rollout.apiKey ?? sessionId,
    transformRequestBody: (body) => ({ ...body, ...rollout.samplingParams }),
  });
  return provider(modelId);
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const { text } = await generateText({
    model: modelFor(context),
    instructions,
    prompt,
    tools: { calculator },
    stopWhen: stepCountIs(10),
    abortSignal: context.signal,
  });
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
