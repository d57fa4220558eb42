import '@art/agent/snapshot-safe';
import { AgentCoreRLApp } from '@art/agent';
import { Type } from 'typebox';

const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: Type.Object({ prompt: Type.String(), answer: Type.Optional(Type.String()) }),
    process: async ({ prompt, answer }, { rollout, sessionId, signal }) => {
      if (rollout?.baseUrl === undefined) return { text: prompt };
      const response = await fetch(`${rollout.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${rollout.apiKey ?? sessionId}`,
        },
        body: JSON.stringify({
          model: rollout.modelId,
          messages: [{ role: 'user', content: prompt }],
          ...rollout.samplingParams,
        }),
        signal,
      });
      if (!response.ok) throw new Error(`The model answered ${response.status}.`);
      const reply = (await response.json()) as { choices: { message: { content: string } }[] };
      const text = reply.choices[0]!.message.content;
      return { text, reward: text.endsWith(answer ?? '42') ? 1 : 0 };
    },
  },
});

void app.run();
