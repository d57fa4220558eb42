import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

const note = (line: string): void => appendFileSync(process.env['NOTES']!, `${line}\n`);

/** Notes when it begins and when it is done, with its session, in the file `NOTES`. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ id: string }>(({ id }) => typeof id === 'string'),
    process: async ({ id }, { sessionId }) => {
      note(`begun ${id} ${sessionId}`);
      await pause(700);
      note(`done ${id} ${sessionId}`);
      return { response: id, reward: 1 };
    },
  },
});

void app.run();
