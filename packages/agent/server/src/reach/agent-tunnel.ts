import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { backgroundClock, refusedCaller, requestTimeLimits } from '@art/ground';
import { maxPayloadBytes } from '@art/protocol';
import {
  type Hello,
  isSessionTarget,
  mostHeadBytes,
  mostStreams,
  type ReachLink,
  requestHeaders,
  type Welcome,
  writeHead,
  writeWelcome,
} from '@art/protocol/reach';
import { ProxiedCall } from './proxied-call.ts';
import { answerError, readProxiedBody } from './proxy-http.ts';

// No `import`: see `LingeringResponse`.
const { createServer } = process.getBuiltinModule('node:http');

export interface AgentTunnelOptions {
  sessionId: string;
  /** Without it no socket is taken. */
  secret: string;
  /** `/sessions/ID/v1`: everything that may be called. */
  path: string;
  /** How long a call waits while there is no socket. @default 30_000 */
  holdMs?: number | undefined;
  /** Largest body of a call. @default 100_000_000, as large as a payload */
  mostBodyBytes?: number | undefined;
}

const defaultHoldMs = 30_000;
// What an agent may have open beside those that are on their way.
const mostCalls = 1_000;
const loopback = '127.0.0.1';

/**
 * The address that an agent calls in place of a gateway: a proxy on loopback, for one rollout. Its calls use the socket
 * that the trainer opens into the session, and wait while there is none.
 */
export class AgentTunnel {
  readonly #options: AgentTunnelOptions;
  readonly #server: Server;
  readonly #calls = new Set<ProxiedCall>();
  /** The newest one; earlier ones have calls that run out. */
  #link: ReachLink | undefined;
  readonly #links = new Set<ReachLink>();
  /** Called when it is over. */
  onClose: (() => void) | undefined;
  #numbered = 0;
  #isAnswered = false;
  #refused: string | undefined;
  #isClosed = false;

  private constructor(options: AgentTunnelOptions) {
    this.#options = options;
    this.#server = createServer({ ...requestTimeLimits }, (request, response) => {
      void this.#serve(request, response);
    });
  }

  /** Listens on a port of loopback that is free. */
  static async open(options: AgentTunnelOptions): Promise<AgentTunnel> {
    const tunnel = new AgentTunnel(options);
    await new Promise<void>((resolve, reject) => {
      tunnel.#server.once('error', reject);
      tunnel.#server.listen(0, loopback, resolve);
    });
    return tunnel;
  }

  /** The URL that the agent takes as `base_url`. */
  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${loopback}:${port}${this.#options.path}`;
  }

  /** Calls that are not over. */
  get calls(): number {
    return this.#calls.size;
  }

  /** Why a call got no answer of the gateway, where none ever got one; undefined where one did, or none was refused. */
  get unanswered(): string | undefined {
    return this.#isAnswered ? undefined : this.#refused;
  }

  /** True if a hello names this rollout's session and gives its secret. */
  isFor({ sessionId, secret }: Hello): boolean {
    const [given, own] = [Buffer.from(secret), Buffer.from(this.#options.secret)];
    return (
      sessionId === this.#options.sessionId && given.length === own.length && timingSafeEqual(given, own)
    );
  }

  /** Takes a socket that has proved itself, in place of the one before. */
  attach(link: ReachLink, { isOnly, limits }: Hello, welcome: Welcome): void {
    const earlier = [...this.#links];
    this.#links.add(link);
    this.#link = link;
    link.accept(limits);
    link.hello(writeWelcome(welcome));
    if (isOnly) for (const one of earlier) one.bye('replaced');
    this.#send();
  }

  /** A socket has ended; its calls know. */
  detach(link: ReachLink): void {
    this.#links.delete(link);
    if (this.#link === link) this.#link = undefined;
    this.#send();
  }

  /** Ends every call, and the socket. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClose?.();
    for (const call of this.#calls) call.fail('The rollout has ended');
    for (const link of this.#links) link.bye('the rollout has ended');
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    // After the errors above have been written.
    setImmediate(() => this.#server.closeAllConnections());
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The agent may go at any time.
    response.on('error', () => {});
    const refused = refusedCaller(request, { host: loopback });
    if (refused !== undefined) return answerError(response, 403, refused.message);
    const { method = '', url = '', rawHeaders } = request;
    if (!isSessionTarget(url, this.#options.path))
      return answerError(
        response,
        403,
        `Expected a path below ${this.#options.path}, got ${url.slice(0, 200)}. Call the base_url of the rollout.`,
      );
    const headers = requestHeaders(rawHeaders);
    const body = await readProxiedBody(request, response, this.#options.mostBodyBytes ?? maxPayloadBytes);
    if (body === undefined || response.destroyed) return undefined;
    const bodyBytes = body.reduce((sum, { length }) => sum + length, 0);
    const head = writeHead({ call: (this.#numbered += 1), method, path: url, headers, bodyBytes });
    // It counts as it is sent: quotation marks and letters with accents take more there than they do here.
    if (head.length > mostHeadBytes)
      return answerError(
        response,
        431,
        `Expected method, path and headers of at most ${mostHeadBytes} bytes as JSON, got ${head.length}. Send less of them.`,
      );
    if (this.#isClosed) return answerError(response, 503, 'The rollout has ended');
    if (this.#calls.size >= mostCalls)
      return answerError(response, 503, `Expected at most ${mostCalls} calls at once.`);
    const call = new ProxiedCall({ head, body, response }, () => {
      this.#calls.delete(call);
      this.#send();
    });
    call.onLost = () => this.#send();
    call.onAnswer = (refused) => {
      if (refused === undefined) this.#isAnswered = true;
      else this.#refused = refused;
    };
    this.#calls.add(call);
    this.#send();
  }

  /** Calls that wait go out as far as there is room, the oldest first. */
  #send(): void {
    if (this.#isClosed) return;
    const link = this.#link?.hasEnded === false ? this.#link : undefined;
    for (const call of this.#calls) {
      if (!call.isWaiting) continue;
      if (link === undefined) call.hold(this.#options.holdMs ?? defaultHoldMs, backgroundClock);
      else if (link.streams < mostStreams) call.sendOn(link);
    }
  }
}
