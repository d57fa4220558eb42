import { type IncomingMessage, Server } from 'node:http';

const before = ['/ping', '/.well-known/agent-card.json'];

/** Calls once, before any server of this process sees a request that is neither a ping nor the warm-up. */
export function onFirstRequest(warmupPath: string, call: () => void): void {
  // oxlint-disable-next-line typescript/unbound-method -- applied with its own `this` below
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'request' || event === 'upgrade') {
      const path = (values[0] as IncomingMessage).url?.split('?')[0] ?? '';
      if (path !== warmupPath && !before.includes(path)) {
        Server.prototype.emit = emit;
        call();
      }
    }
    return Reflect.apply(emit, this, [event, ...values]) as boolean;
  };
}
