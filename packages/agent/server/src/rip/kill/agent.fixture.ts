/** An agent that notes every run of its handler in a file, before anything else, and answers after a moment. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCoreRLApp } from '../../agentcore-rl-app.ts';

const app = new AgentCoreRLApp({
  stateDir: process.env['ART_TEST_STATE_DIR']!,
  invocationHandler: {
    process: async ({ text, ms }, { invocation }) => {
      appendFileSync(process.env['ART_TEST_RUNS']!, `${invocation?.id}\n`);
      await sleep(Number(ms));
      return { id: invocation?.id, text };
    },
  },
});
void app.run({ host: '127.0.0.1', port: 0 });
