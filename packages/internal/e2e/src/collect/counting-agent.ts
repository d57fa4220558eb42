/** An agent that notes each of its runs in a file, asks its model once, and can be made to wait; run by the local AgentCore in tests. */
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

const app = new AgentCoreRLApp({
  rolloutHandler: {
    requestSchema: lightSchema<{ n: number; until?: string }>(({ n }) => Number.isInteger(n)),
    process: async ({ n, until }, { rollout, sessionId, signal }) => {
      appendFileSync(process.env['RUNS_FILE']!, `${n} ${sessionId}\n`);
      for (const file of until === undefined ? [] : [until])
        while (!existsSync(file)) await sleep(20, undefined, { signal });
      const reply = await fetch(`${rollout?.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'policy', messages: [{ role: 'user', content: `Task ${n}` }] }),
        signal,
      });
      if (!reply.ok) throw new Error(`the model said ${reply.status}`);
      return { rewards: n, reward: n };
    },
  },
});

await app.run();
