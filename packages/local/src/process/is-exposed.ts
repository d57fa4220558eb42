import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

const answerWithinMs = 1_000;

/** Whether a port of this machine answers at another address than loopback; `false` on a machine without a network. */
export async function isExposed(port: number): Promise<boolean> {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (address === undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: address, timeout: answerWithinMs });
  socket.once('connect', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.once('error', () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
