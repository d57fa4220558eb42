/** Entry of one of several gateway processes: an ordinary gateway on a socket that only the front knows. */
import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArtError } from '@art/protocol';
import type { Gateway } from '../server/gateway.ts';
import { runGateway } from '../server/run-gateway.ts';
import type { MessageFromShard, MessageToShard } from './shard-messages.ts';

let gateway: Promise<Gateway> | undefined;
let socketDirectory: string | undefined;

process.on('message', (message: MessageToShard) => {
  if (message.kind === 'close') void end();
  else void start(message);
});
// The front is gone: nobody can reach this process any more.
process.on('disconnect', () => void end());
// A terminal sends these to the front as well, which drains this process before it ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

async function start({ options, socketPath }: Extract<MessageToShard, { kind: 'start' }>): Promise<void> {
  socketDirectory = dirname(socketPath);
  try {
    gateway = runGateway(options, { path: socketPath });
    await gateway;
    tell({ kind: 'ready' });
  } catch (error) {
    const code = ArtError.isInstance(error) ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    tell({ kind: 'failed', code, message });
  }
}

async function end(): Promise<void> {
  let exitCode = 0;
  try {
    await (await gateway)?.close();
  } catch {
    // A start that failed was told already; a close that fails is seen by the code.
    exitCode = 1;
  }
  // Without a front nobody else does; the last process succeeds.
  if (!process.connected && socketDirectory !== undefined)
    await rmdir(socketDirectory).catch(() => undefined);
  // oxlint-disable-next-line unicorn/no-process-exit -- this file is a program of its own
  process.exit(exitCode);
}

function tell(message: MessageFromShard): void {
  if (process.connected) process.send?.(message);
}
