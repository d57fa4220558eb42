import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

/** Asks its model, and is right where the model says the answer. `crash` ends the machine. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ prompt: string; answer: string; crash?: boolean }>(
      ({ prompt, answer }) => typeof prompt === 'string' && typeof answer === 'string',
    ),
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
