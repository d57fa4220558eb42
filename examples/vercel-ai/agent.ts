// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import { type LanguageModel, stepCountIs, streamText, tool } from 'ai';
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

/** Yields the text for your users as it comes, and returns the answer for trainers. */
async function* solve(prompt: string, context: RequestContext): AsyncGenerator<string, string> {
  const stream = streamText({
    model: modelFor(context),
    instructions: context.prompt('system', instructions),
    prompt,
    tools: { calculator },
    stopWhen: stepCountIs(10),
    abortSignal: context.signal,
  });
  for await (const part of stream.fullStream) {
    // `textStream` would end as if nothing had happened.
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') yield part.text;
  }
  context.signal.throwIfAborted();
  return stream.text;
}

const app = new AgentCoreRLApp({
  invocationHandler: {
    // A trainer sends the right answer with the problem, your users do not.
    requestSchema: z.object({ prompt: z.string(), answer: z.string().optional() }),
    async *process({ prompt, answer }, context) {
      const text = yield* solve(prompt, context);
      if (answer === undefined) return { text };
      return { text, reward: await reward.compute({ responseText: text, groundTruth: answer }) };
    },
  },
});

void app.run();
