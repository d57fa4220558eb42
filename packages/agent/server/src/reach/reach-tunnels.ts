import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { backgroundClock, type Clock, refusedCaller, silenceLimit, isJsonObject } from '@art/ground';
import { type SessionSocket } from '@art/protocol';
import { defaultReachLimits, openLink, placeholderPath, reachVersion, readHello } from '@art/protocol/reach';
import type { WebSocket } from 'ws';
import { RequestRefusal } from '../request/request-refusal.ts';
import { AgentTunnel } from './agent-tunnel.ts';

/** The payload as its handler is to see it, and the tunnel that it calls its model through. */
export interface ReachedPayload {
  payload: Record<string, unknown>;
  tunnel: AgentTunnel | undefined;
}

const shortestSecret = 32;
const mostSockets = 16;
// A trainer says hello at once.
const helloWithinMs = 1_000;
// Where nobody else waits for the socket; AgentCore is between the two ends.
const longestWithoutHelloMs = 10_000;
const firstByteOfHello = 1;

/** The tunnels of the rollouts of this process whose gateway has no address, and the sockets that the trainer opens for them. */
export class ReachTunnels {
  readonly #server: () => Server;
  readonly #clock: Clock;
  readonly #tunnels = new Set<AgentTunnel>();
  readonly #sockets = new Set<SessionSocket>();
  #takesUpgrades = false;

  /** @param server the app's own, whose `/ws` the trainer opens */
  constructor(server: () => Server, clock: Clock = backgroundClock) {
    this.#server = server;
    this.#clock = clock;
  }

  /**
   * Where a payload asks for it, opens a tunnel and puts its address in place of `base_url`; the handler never sees its secret.
   * @throws RequestRefusal 400
   */
  async open(payload: Record<string, unknown>, sessionId: string): Promise<ReachedPayload> {
    for (const name of ['_rollout', '_config']) {
      const config = payload[name];
      if (!isJsonObject(config)) continue;
      const { reach, base_url: baseUrl, ...rest } = config;
      const path = typeof baseUrl === 'string' ? placeholderPath(baseUrl) : undefined;
      if (path === undefined) continue;
      const tunnel = await AgentTunnel.open({ sessionId, secret: secretOf(reach), path });
      this.#tunnels.add(tunnel);
      tunnel.onClose = () => this.#tunnels.delete(tunnel);
      this.#takeUpgrades();
      return { payload: { ...payload, [name]: { ...rest, base_url: tunnel.baseUrl } }, tunnel };
    }
    return { payload, tunnel: undefined };
  }

  /**
   * True if a socket belongs to a trainer, and not to the app's own handler. Its first message decides. The question is
   * asked only while there are tunnels. For other sockets the answer takes up to a second, and the messages that
   * arrived until then are delivered again.
   * @param handshake by which the socket was opened; no web page is a trainer
   */
  async claims(socket: WebSocket, handshake: IncomingMessage): Promise<boolean> {
    if (this.#tunnels.size === 0 || isOfPage(handshake)) return false;
    const first = Promise.withResolvers<{ message: Buffer; isBinary: boolean } | undefined>();
    const onMessage = (message: unknown, isBinary: boolean): void => {
      socket.pause();
      first.resolve({ message: message as Buffer, isBinary });
    };
    const onClose = (): void => first.resolve(undefined);
    socket.once('message', onMessage).once('close', onClose);
    const limit = silenceLimit(helloWithinMs, () => first.resolve(undefined));
    const came = await first.promise;
    limit.cancel();
    socket.off('message', onMessage).off('close', onClose);
    const isHello = came?.isBinary === true && came.message[0] === firstByteOfHello;
    if (isHello) this.#take(socket, handshake.url);
    // After the handler has put its listeners on.
    setImmediate(() => {
      if (came !== undefined) socket.emit('message', came.message, came.isBinary);
      socket.resume();
    });
    return isHello;
  }

  /** Ends what is left when the app closes. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#tunnels, (tunnel) => tunnel.close()));
    for (const socket of this.#sockets) socket.terminate();
  }

  #take(socket: SessionSocket, target: string | undefined): void {
    // Handshakes that came together have all seen fewer.
    if (this.#sockets.size >= mostSockets) return socket.terminate();
    let owner: AgentTunnel | undefined;
    this.#sockets.add(socket);
    const link = openLink(socket, {
      clock: this.#clock,
      limits: defaultReachLimits,
      events: {
        onHello: (one, bytes) => {
          const hello = readHello(bytes);
          const tunnel = [...this.#tunnels].find((one) => one.isFor(hello));
          if (tunnel === undefined || owner !== undefined)
            return one.bye('the agent has no rollout of this session that the hello proves to know');
          owner = tunnel;
          return tunnel.attach(one, hello, { queryNames: queryNamesOf(target) });
        },
        onStream: () => undefined,
        onEnd: (ended) => {
          owner?.detach(ended);
        },
      },
    });
    const cancel = this.#clock.after(longestWithoutHelloMs, () => {
      if (owner === undefined) link.lost(`no hello came within ${longestWithoutHelloMs} ms`);
    });
    socket.on('close', () => {
      cancel();
      this.#sockets.delete(socket);
    });
  }

  /** Before the first tunnel there is no `/ws`, unless the app has a handler for it. */
  #takeUpgrades(): void {
    if (this.#takesUpgrades) return;
    this.#takesUpgrades = true;
    const server = this.#server();
    // Anyone who serves sockets already, also those of `/ws`, asks `claims`.
    if (server.listenerCount('upgrade') > 0) return;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#upgrade(request, socket, head);
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {});
    const [path] = (request.url ?? '').split('?');
    if (path !== '/ws' || this.#tunnels.size === 0 || this.#sockets.size >= mostSockets) {
      socket.end(refusal('404 Not Found'));
      return;
    }
    if (isOfPage(request)) {
      socket.end(refusal('403 Forbidden'));
      return;
    }
    // Loaded on demand: few rollouts need it, and every session is a process that must start.
    const { WebSocketServer } = await import('ws');
    const sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: 65_536 });
    sockets.handleUpgrade(request, socket, head, (opened) => this.#take(opened, request.url));
  }
}

// Browsers send an Origin with every handshake. The Host is not looked at: AgentCore and proxies send their own.
function isOfPage(handshake: IncomingMessage): boolean {
  return refusedCaller(handshake, { host: '127.0.0.1', allowedHosts: ['*'] }) !== undefined;
}

function refusal(status: string): string {
  return `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
}

/** The names alone: values may be signatures. */
function queryNamesOf(target = ''): string[] {
  const [, query = ''] = target.split('?');
  return [...new URLSearchParams(query).keys()];
}

function secretOf(reach: unknown): string {
  const { version, secret } = (isJsonObject(reach) ? reach : {}) as { version?: unknown; secret?: unknown };
  if (version === reachVersion && typeof secret === 'string' && secret.length >= shortestSecret)
    return secret;
  const error = `Expected reach to be {"version": ${reachVersion}, "secret": "..."}, with ${shortestSecret} characters or more. Use one version of the toolkit in the agent and in the trainer.`;
  throw new RequestRefusal(400, 'ART_INVALID_ROLLOUT_CONFIG', error);
}
