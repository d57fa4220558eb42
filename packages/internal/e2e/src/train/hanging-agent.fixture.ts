import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

/** Writes a file, and then works until somebody ends it. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ begun: string }>(({ begun }) => typeof begun === 'string'),
    process: async ({ begun }, { signal }) => {
      await writeFile(begun, '');
      await once(signal, 'abort');
      return { reward: 0 };
    },
  },
});

void app.run();
