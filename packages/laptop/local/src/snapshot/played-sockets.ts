import diagnostics from 'node:diagnostics_channel';
import { Server, Socket } from 'node:net';
import type { SnapshotRecord } from './snapshot-record.ts';

type Connect = (this: Socket, ...values: unknown[]) => Socket;
type Listen = (this: Server, ...values: unknown[]) => Server;

/**
 * Lets connections that were opened before the restore be dead after it: nothing is heard from them, and the first write fails as that of
 * a connection whose other end has forgotten it. Those to this process itself, and Unix sockets, are part of the snapshot and live.
 */
export function playSockets(record: SnapshotRecord): () => void {
  const opened = new Map<Socket, string[]>();
  const servers = new Set<Server>();
  // oxlint-disable-next-line typescript/unbound-method -- applied with its own `this` below
  const connect = Socket.prototype.connect as Connect;
  // oxlint-disable-next-line typescript/unbound-method -- applied with its own `this` below
  const listen = Server.prototype.listen as Listen;
  let isRestored = false;
  const replacement: Connect = function (...values) {
    if (!isRestored) {
      const stack = record.isWanted ? record.callers() : [];
      opened.set(this, stack);
      this.once('close', () => opened.delete(this));
    }
    return Reflect.apply(connect, this, values);
  };
  Socket.prototype.connect = replacement;
  const noteListening: Listen = function (...values) {
    servers.add(this);
    return Reflect.apply(listen, this, values);
  };
  Server.prototype.listen = noteListening as Server['listen'];
  const isOwn = (port: number): boolean =>
    [...servers].some((server) => {
      const address = server.address();
      return address !== null && typeof address === 'object' && address.port === port;
    });
  const stopNoting = record.isWanted ? noteCalls(record) : () => undefined;
  return () => {
    isRestored = true;
    stopNoting();
    for (const [socket, stack] of opened)
      if (!socket.destroyed && socket.remotePort !== undefined && !isOwn(socket.remotePort))
        die(socket, stack, record);
  };
}

/** Notes who calls something over HTTP, by `node:http` or `fetch`. */
function noteCalls(record: SnapshotRecord): () => void {
  const channel = 'http.client.request.start';
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: { host?: string; path?: string } };
    record.note({ kind: 'call', name: `${request.host ?? ''}${request.path ?? ''}` });
  };
  diagnostics.subscribe(channel, onRequest);
  const { fetch } = globalThis;
  const noted: typeof fetch = (input, init) => {
    record.note({ kind: 'call', name: input instanceof Request ? input.url : String(input) });
    return fetch(input, init);
  };
  globalThis.fetch = noted;
  return () => {
    diagnostics.unsubscribe(channel, onRequest);
    if (globalThis.fetch === noted) globalThis.fetch = fetch;
  };
}

function die(socket: Socket, stack: string[], record: SnapshotRecord): void {
  const name = `${socket.remoteAddress}:${socket.remotePort}`;
  const fail = (done: (error: Error) => void): void => {
    record.note({ kind: 'dead-socket', name }, { stack });
    const reset = { code: 'ECONNRESET', errno: -104, syscall: 'write' };
    done(Object.assign(new Error('write ECONNRESET'), reset));
  };
  const handle = (socket as { _handle?: { readStop?: () => void } | null })._handle;
  handle?.readStop?.();
  Object.assign(socket, {
    _read: () => undefined,
    _write: (_chunk: unknown, _encoding: unknown, done: (error: Error) => void) => fail(done),
    _writev: (_chunks: unknown, done: (error: Error) => void) => fail(done),
  });
}
