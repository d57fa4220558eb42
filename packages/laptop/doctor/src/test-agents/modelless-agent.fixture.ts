import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCoreRLApp } from '@art/agent';

/** Answers without a call of a model, at once or when a file is there. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    process: async (request) => {
      const { until } = request as { until?: string };
      while (until !== undefined && !existsSync(until)) await sleep(20);
      return { reward: 0 };
    },
  },
});
void app.run();
