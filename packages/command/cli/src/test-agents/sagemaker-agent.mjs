/** An agent whose app has SageMaker's wire, or has not; its reward says whether the model knew the answer. */
import { sagemakerRollouts } from '@art/server-sagemaker';
import { AgentCoreRLApp } from '@art/server';

const app = new AgentCoreRLApp({
  wires: process.env['WITHOUT_WIRE'] === '1' ? [] : [sagemakerRollouts({ rolloutTimeoutMs: 60_000 })],
  invocationHandler: {
    process: async ({ prompt }, { rollout }) => {
      if (prompt === 'throw') throw new Error('the tool failed');
      if (prompt === 'lazy' || rollout === undefined) return { reward: 0.5 };
      const reply = await fetch(`${rollout.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${rollout.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: rollout.modelId, messages: [{ role: 'user', content: prompt }] }),
      });
      const { choices } = await reply.json();
      return { reward: choices[0].message.content === 'It is 42.' ? 1 : 0 };
    },
  },
});
await app.run();
