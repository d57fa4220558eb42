import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a trainer and its sidecar, and cuts their connections when told to. */
export class CuttingProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param target may change while it runs, as a sidecar that is started again has another port */
  static async start(target: () => string): Promise<CuttingProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(Number(new URL(target()).port), '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new CuttingProxy(server, sockets);
  }

  /** @returns how many connections that were open */
  cut(): number {
    const count = this.#sockets.size / 2;
    for (const socket of this.#sockets) socket.resetAndDestroy();
    return count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
