import { AgentCoreRLApp } from '@art/server';
import { lightSchema } from '../agents/light-schema.ts';

/** One turn: the model has to say the word that it was given. */
const app = new AgentCoreRLApp({
  rolloutHandler: {
    requestSchema: lightSchema<{ word: string; maxTokens?: number }>(({ word }) => typeof word === 'string'),
    process: async ({ word, maxTokens = 2 }, { rollout, signal }) => {
      const answer = await fetch(`${rollout!.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${rollout!.apiKey}` },
        body: JSON.stringify({
          model: rollout!.modelId,
          messages: [{ role: 'user', content: word }],
          max_tokens: maxTokens,
          ...rollout!.samplingParams,
        }),
        signal,
      });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
      const { choices } = (await answer.json()) as { choices: [{ message: { content: string | null } }] };
      return { rewards: [choices[0].message.content?.startsWith(word) === true ? 1 : 0] };
    },
  },
});
await app.run({ port: Number(process.env['PORT'] ?? 8080) });
