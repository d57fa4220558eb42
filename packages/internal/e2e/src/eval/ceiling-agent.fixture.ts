import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { lightSchema } from '../agents/light-schema.ts';

/** Calls its model as often as it is told to, with the retries that the SDK has of itself. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ calls: number; stream?: boolean }>(({ calls }) => typeof calls === 'number'),
    process: async ({ calls, stream = false }, { rollout }) => {
      const openai = new OpenAI({ baseURL: rollout!.baseUrl, apiKey: 'none' });
      for (let call = 0; call < calls; call += 1) {
        const asked = {
          model: rollout!.modelId!,
          messages: [{ role: 'user', content: 'hello' }],
        } satisfies OpenAI.ChatCompletionCreateParams;
        if (stream) {
          const events = await openai.chat.completions.create({ ...asked, stream: true });
          for await (const _ of events);
        } else await openai.chat.completions.create(asked);
      }
      return { reward: 1 };
    },
  },
});

void app.run();
