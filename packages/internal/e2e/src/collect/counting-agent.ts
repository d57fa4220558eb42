/** An agent that notes each of its runs in a file, asks its model once, and can be made to wait, fail or die; run by the local AgentCore in tests. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

interface Task {
  n: number;
  /** Waits until this file is there. */
  until?: string;
  /** How many runs of it end with their machine. */
  deaths?: number;
  fails?: boolean;
  /** @default n */
  reward?: number | null;
}

const app = new AgentCoreRLApp({
  rolloutHandler: {
    requestSchema: lightSchema<Task>(({ n }) => Number.isInteger(n)),
    process: async ({ n, until, deaths = 0, fails = false, reward = n }, { rollout, sessionId, signal }) => {
      appendFileSync(process.env['RUNS_FILE']!, `${n} ${sessionId}\n`);
      for (const file of until === undefined ? [] : [until])
        while (!existsSync(file)) await sleep(20, undefined, { signal });
      const reply = await fetch(`${rollout?.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${rollout?.apiKey}` },
        body: JSON.stringify({ model: 'policy', messages: [{ role: 'user', content: `Task ${n}` }] }),
        signal,
      });
      if (!reply.ok) throw new Error(`the model said ${reply.status}`);
      const runs = readFileSync(process.env['RUNS_FILE']!, 'utf8').match(new RegExp(`^${n} `, 'gm'))!;
      if (runs.length <= deaths) process.kill(process.pid, 'SIGKILL');
      if (fails) throw new Error('no answer was found');
      return reward === null ? {} : { rewards: reward, reward };
    },
  },
});

await app.run();
