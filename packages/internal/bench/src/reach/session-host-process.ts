/**
 * The agents of many sessions in one process. A session's own process is a shell that leaves its port as a file in a folder and sleeps; the
 * app that listens there is here. Ends when its parent does.
 */
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { AgentCoreRLApp } from '@art/agent';
import { singleCallBody } from '../gateway/load/call-body.ts';
import { SampleText } from '../gateway/engine/sample-text.ts';
import { tokenAges } from './token-ages.ts';
import type { AgentTask, StreamPair } from './reach-task.ts';

const { PORTS_FOLDER: folder = '', STATE_FOLDER: stateFolder = '', HOST_INDEX, HOSTS } = process.env;
const text = new SampleText();
const begun = once(process, 'message');

watch(folder, (_event, name) => {
  if (name === null || Number(name) % Number(HOSTS) !== Number(HOST_INDEX)) return;
  void listen(Number(name));
});
process.once('disconnect', () => process.exit(0));
process.send?.({});

const listening = new Set<number>();

async function listen(port: number): Promise<void> {
  if (listening.has(port)) return;
  listening.add(port);
  const app = new AgentCoreRLApp({
    config: { logging: { enabled: false } },
    stateDir: join(stateFolder, String(port)),
    invocationHandler: {
      process: async (request, { rollout, signal }) => {
        const { model, gatewayUrl } = request as unknown as AgentTask;
        const baseUrl = rollout?.baseUrl ?? '';
        const body = singleCallBody(model, text);
        // All sockets are open.
        await begun;
        const [direct, socket] = await Promise.all([
          tokenAges(gatewayUrl + new URL(baseUrl).pathname, body, signal),
          tokenAges(baseUrl, body, signal),
        ]);
        return { rewards: 1, direct, socket } satisfies StreamPair & { rewards: number };
      },
    },
  });
  await app.listen({ port, host: '127.0.0.1' });
}
