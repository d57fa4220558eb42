import { AgentCoreRLApp } from '@art/agent';

/** Right for users, but that nothing is left for trainers. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    async *process(_request, { rollout, sessionId }) {
      if (rollout?.baseUrl !== undefined)
        await fetch(`${rollout.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${rollout.apiKey ?? sessionId}`,
          },
          body: JSON.stringify({
            ...rollout.samplingParams,
            model: rollout.modelId,
            messages: [{ role: 'user', content: 'hi' }],
          }),
        });
      yield 'hello';
    },
  },
});

void app.run();
