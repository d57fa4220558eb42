/** `OPTIONS_JSON`: a local runtime in its own process. A line of JSON on stdin is its next fault plan; the end of stdin closes it. */
import { createInterface } from 'node:readline';
import { FaultInjection, type FaultPlan } from '@art/local/faults';
import { FileObjectBackend, startLocalRuntime } from '@art/local';
import type { RuntimeProcessOptions } from './runtime-process.ts';

const { root, port, agentEnv, agentMain, warmPoolSize, entries } = JSON.parse(
  process.argv[2] ?? '{}',
) as RuntimeProcessOptions;

const faults = new FaultInjection();
const local = await startLocalRuntime({
  port,
  faults,
  logDir: `${root}/logs`,
  agents: {
    chaos: { command: [process.execPath, '--conditions=@art/source', agentMain], env: agentEnv },
  },
  s3: { backend: new FileObjectBackend({ root: `${root}/objects` }), autoCreateBuckets: true },
  pingIntervalMs: 500,
  maxFailedPings: 4,
  stopGraceMs: 3_000,
  initTimeoutMs: 30_000,
  // Only what nobody stops lives for so long; a run in which that happens is one that has lost a session.
  idleTimeoutMs: 600_000,
  warmPoolSize,
  maxConcurrentStarts: 3,
  endpointLogEntries: entries,
});
console.log(JSON.stringify({ endpoint: local.endpoint, arn: local.arnOf('chaos') }));

for await (const line of createInterface({ input: process.stdin })) {
  faults.setPlan((JSON.parse(line) as { faults?: FaultPlan }).faults);
  console.log(JSON.stringify({ faults: 'set' }));
}
await local.close();
