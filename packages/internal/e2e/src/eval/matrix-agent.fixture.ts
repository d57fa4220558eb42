import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { lightSchema } from '../agents/light-schema.ts';

/** Is right where its model is large, its prompt is better, or the number is odd. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ at: number }>(({ at }) => typeof at === 'number'),
    process: async ({ at }, context) => {
      const { baseUrl, modelId } = context.rollout!;
      const content = context.prompt('system', 'plain');
      const messages = [{ role: 'system' as const, content }];
      const openai = new OpenAI({ baseURL: baseUrl, apiKey: 'none' });
      await openai.chat.completions.create({ model: modelId!, messages });
      return { reward: Number(modelId === 'large' || content === 'better' || at % 2 === 1) };
    },
  },
});

void app.run();
