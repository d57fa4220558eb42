/**
 * Runs many rollouts of the least possible agent through the client and the local runtime, then says what is left open.
 * The process must end by itself afterwards: that is part of the test.
 *
 *   node --conditions=@art/source src/soak/soak.ts --rollouts 1000 --concurrency 50 --warm 16
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RolloutClient } from '@art/client';
import { startLocalRuntime } from '@art/local';
import { FileResultStore } from '@art/store';

const { values } = parseArgs({
  options: {
    rollouts: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '50' },
    warm: { type: 'string', default: '16' },
  },
});

const root = await mkdtemp(join(tmpdir(), 'art-soak-'));
const outcomes: Record<string, number> = {};
let mostSignalListeners = 0;
const startedMs = performance.now();
const local = await startLocalRuntime({
  warmPoolSize: Number(values.warm),
  agents: {
    storing: {
      command: [process.execPath, join(import.meta.dirname, '../agents/storing-agent.mjs')],
      env: { RESULT_ROOT: join(root, 'results') },
    },
  },
});
const client = new RolloutClient({
  runtime: local.runtime('storing'),
  store: new FileResultStore({ root: join(root, 'results') }),
  bucket: 'b',
  expId: 'soak',
});
const payloads = Array.from({ length: Number(values.rollouts) }, (_, n) => ({ n }));
for await (const item of client.runBatch(payloads, { maxConcurrentSessions: Number(values.concurrency) })) {
  outcomes[item.outcome.kind] = (outcomes[item.outcome.kind] ?? 0) + 1;
  mostSignalListeners = Math.max(
    mostSignalListeners,
    process.listenerCount('SIGTERM') + process.listenerCount('exit'),
  );
}
const pids = local.sessions().flatMap((session) => session.pid ?? []);
await client.close();
await local.close();
await rm(root, { recursive: true, force: true, maxRetries: 10 });

const alive = pids.filter((pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
});
const descriptors = await openFiles();
// What the directory was read with is itself a resource until the next turn.
await new Promise((resolve) => setImmediate(resolve));
console.log(
  JSON.stringify({
    outcomes,
    wallMs: Math.round(performance.now() - startedMs),
    aliveSessions: alive.length,
    mostSignalListeners,
    openFiles: descriptors,
    resources: process.getActiveResourcesInfo(),
  }),
);

/** Undefined where the system has no such directory. */
async function openFiles(): Promise<number | undefined> {
  try {
    return (await readdir('/proc/self/fd')).length;
  } catch {
    return undefined;
  }
}
