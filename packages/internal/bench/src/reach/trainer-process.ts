/** The trainer of the measurement, whose process carries the calls of all sockets. Ends when its parent does. */
import { once } from 'node:events';
import { createAgentCoreRuntime, RolloutClient } from '@art/client';
import type { StreamPair, TrainerTask } from './reach-task.ts';

process.once('disconnect', () => process.exit(0));
process.send?.({});
const [task] = (await once(process, 'message')) as [TrainerTask];
const { endpoint, agentRuntimeArn, gatewayUrl, sessions, payload } = task;
await using client = new RolloutClient({
  runtime: (_, onEvent) =>
    createAgentCoreRuntime({
      agentRuntimeArn,
      clientOptions: { endpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } },
      onEvent,
    }),
  gateway: { url: gatewayUrl, reach: 'session' },
  onWarning: (message) => console.error(message),
});
const pairs: StreamPair[] = [];
const payloads = Array.from({ length: sessions }, () => ({ ...payload }));
for await (const { outcome } of client.runBatch(payloads, {
  maxConcurrentSessions: sessions,
  retry: {},
})) {
  if (outcome.kind !== 'ok') throw new Error(`A rollout ended as ${outcome.kind}: ${outcome.error.message}`);
  pairs.push(outcome.document as unknown as StreamPair);
}
process.send?.({ pairs });
