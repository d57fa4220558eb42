/** Invokes as fast as its clients' pacing lets it; run by pacing.ts, several at a time. Prints what the pacing reported. */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createAgentCoreRuntime } from '@art/client';
import { redisShare } from '@art/invoke/redis';
import { Redis } from 'ioredis';

const { values } = parseArgs({
  options: {
    endpoint: { type: 'string', default: '' },
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '1' },
    redisPort: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
});

const events: Record<string, number> = {};
const failures: string[] = [];
let accepted = 0;
// Never connected itself: the runtimes make their own connections after its pattern.
const redis =
  values.redisPort === undefined
    ? undefined
    : new Redis({ host: '127.0.0.1', port: Number(values.redisPort), lazyConnect: true });
const share = redis && redisShare({ client: redis, processes: Number(values.processes) });
const runtimes = Array.from({ length: Number(values.clients) }, () =>
  createAgentCoreRuntime({
    agentRuntimeArn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/paced-0123456789',
    clientOptions: {
      endpoint: values.endpoint,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    },
    share,
    onEvent: ({ type }) => {
      events[type] = (events[type] ?? 0) + 1;
    },
  }),
);

const over = AbortSignal.timeout(Number(values.seconds) * 1_000);
await Promise.all(runtimes.flatMap((runtime) => Array.from({ length: 20 }, () => drive(runtime))));
for (const runtime of runtimes) runtime.close();
redis?.disconnect();
console.log(JSON.stringify({ accepted, events, failures: failures.slice(0, 3) }));

async function drive(runtime: ReturnType<typeof createAgentCoreRuntime>): Promise<void> {
  while (!over.aborted) {
    try {
      await runtime.invoke({ sessionId: randomUUID(), body: '{}' }, { signal: over });
      accepted += 1;
    } catch (error) {
      if (!over.aborted) failures.push(String(error));
    }
  }
}
