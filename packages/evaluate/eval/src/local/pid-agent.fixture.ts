import { existsSync, writeFileSync } from 'node:fs';
import { AgentCoreRLApp } from '@art/server';

/** Says in which process it was; with a file in `fallsOnce` that process ends, the first time. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    process: async (payload: { fallsOnce?: string }) => {
      const { fallsOnce } = payload;
      if (fallsOnce !== undefined && !existsSync(fallsOnce)) {
        writeFileSync(fallsOnce, '');
        process.kill(process.pid, 'SIGKILL');
      }
      return { pid: process.pid, reward: 1 };
    },
  },
});

void app.run();
