import { randomUUID } from 'node:crypto';
import { AgentCoreRLApp } from '@art/agent';
import { freshId } from '@art/ground';

const tools = ['search', 'read', 'write', 'list', 'move', 'copy', 'remove', 'rename', 'open', 'close'];

/** An agent that shuffles its tools, as one does that must not learn their order. */
const app = new AgentCoreRLApp({
  config: { logging: { enabled: false } },
  snapshotSafe: process.env['SNAPSHOT_SAFE'] !== 'false',
  invocationHandler: {
    process: (_payload, { requestId }) => ({
      order: tools
        .map((tool) => [Math.random(), tool] as const)
        .toSorted(([left], [right]) => left - right)
        .map(([, tool]) => tool)
        .join(' '),
      ids: [requestId, freshId(), freshId()],
      // As ids of the server were made before they came from the kernel.
      former: randomUUID({ disableEntropyCache: true }),
    }),
  },
});

void app.run();
