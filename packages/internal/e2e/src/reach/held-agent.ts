/** An agent that tells where it would call its model, and holds that place open until its session ends. */
import { once } from 'node:events';
import { AgentCoreRLApp } from '@art/agent';

const app = new AgentCoreRLApp({
  invocationHandler: {
    process: async (request, { rollout, signal }) => {
      const { tellAt } = request as unknown as { tellAt: string };
      await fetch(tellAt, { method: 'POST', body: rollout?.baseUrl ?? '' });
      if (!signal.aborted) await once(signal, 'abort');
      return {};
    },
  },
});
await app.run();
