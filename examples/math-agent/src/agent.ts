// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp, GSM8KReward } from '@art/agent';
import OpenAI from 'openai';
import { Type } from 'typebox';
import { solve } from './solve.ts';

const reward = new GSM8KReward();

const app = new AgentCoreRLApp({
  invocationHandler: {
    // Users ask without the answer; what a trainer sends has it.
    requestSchema: Type.Object({
      prompt: Type.String({ minLength: 1 }),
      answer: Type.Optional(Type.String()),
    }),
    process: async ({ prompt, answer }, { rollout, sessionId, signal }) => {
      // A client per request: the trainer gives every rollout an endpoint, and knows the rollout by its key.
      const client = new OpenAI({
        baseURL: rollout?.baseUrl,
        apiKey: rollout?.apiKey ?? process.env['OPENAI_API_KEY'] ?? sessionId,
      });
      const solution = await solve(prompt, {
        client,
        modelId: rollout?.modelId ?? process.env['MODEL_ID'] ?? 'gpt-5-mini',
        samplingParams: rollout?.samplingParams,
        signal,
      });
      return {
        ...(answer !== undefined && {
          reward: await reward.compute({ responseText: solution.text, groundTruth: answer }),
        }),
        response: solution.text,
        turns: solution.turns,
        messages: solution.messages,
      };
    },
  },
});

void app.run();
