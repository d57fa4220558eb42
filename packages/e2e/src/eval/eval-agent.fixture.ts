import { AgentCoreRLApp } from '@art/agent';
import { Type } from 'typebox';

/** Asks its model, and is right where the model says the answer. `crash` ends the machine. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: Type.Object({
      prompt: Type.String(),
      answer: Type.String(),
      crash: Type.Optional(Type.Boolean()),
    }),
    process: async ({ prompt, answer, crash }, { rollout, signal }) => {
      if (crash === true) process.kill(process.pid, 'SIGKILL');
      const reply = await fetch(`${rollout!.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: rollout!.modelId, messages: [{ role: 'user', content: prompt }] }),
        signal,
      });
      const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
      const response = choices[0]!.message.content;
      return { response, reward: response === answer ? 1 : 0 };
    },
  },
});

void app.run();
