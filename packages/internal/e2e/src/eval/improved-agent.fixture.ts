import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

/** Asks its model with a prompt that can be replaced, and says what the model said. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ kind: string; word: string }>(({ word }) => typeof word === 'string'),
    process: async ({ kind, word }, { rollout, signal, prompt }) => {
      const reply = await fetch(`${rollout!.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${rollout!.apiKey ?? ''}` },
        body: JSON.stringify({
          model: rollout!.modelId,
          messages: [
            { role: 'system', content: prompt('system', 'Repeat the word.') },
            { role: 'user', content: `${kind}: ${word}` },
          ],
        }),
        signal,
      });
      const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
      return { text: choices[0]!.message.content };
    },
  },
});

void app.run();
