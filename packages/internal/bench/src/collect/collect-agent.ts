/** An agent of one model call, as small as an agent can be. */
import { AgentCoreRLApp } from '@art/agent';

const app = new AgentCoreRLApp({
  rolloutHandler: {
    process: async (payload, { rollout, signal }) => {
      const answer = await fetch(`${rollout?.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'policy',
          messages: [{ role: 'user', content: JSON.stringify(payload) }],
        }),
        signal,
      });
      if (!answer.ok) throw new Error(`the model said ${answer.status}`);
      await answer.json();
      return { rewards: Math.random() };
    },
  },
});

await app.run();
