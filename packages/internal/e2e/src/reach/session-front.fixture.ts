import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Server that a client takes for its gateway, so that its sessions carry calls to sessions of other names, each at its own gateway. */
export class SessionFront {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #told = new Map<string, (baseUrl: string) => void>();
  /** By the session of the rollout: the address of a session at a gateway, with `/v1`. */
  readonly #targets = new Map<string, string>();

  static async start(): Promise<SessionFront> {
    const front = new SessionFront();
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sends what comes of a rollout's agent on to a session. @returns when the agent has told where it calls */
  lead(sessionId: string, target: string): { tellAt: string; baseUrl: Promise<string> } {
    this.#targets.set(sessionId, target);
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#told.set(`/told/${sessionId}`, resolve);
    return { tellAt: `${this.url}/told/${sessionId}`, baseUrl: promise };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, sessionId = '', rest = ''] = /^\/sessions\/([^/]+)\/v1(.*)$/.exec(request.url!) ?? [];
    const target = this.#targets.get(sessionId);
    if (target !== undefined) return this.#pass(request, response, new URL(target + rest));
    const told = this.#told.get(request.url!);
    if (told !== undefined) told(await text(request));
    // The control plane: what a client needs to continue.
    response.end('{"session_id":"s","base_url":"http://127.0.0.1:1/v1","trajectory_id":"s","state":"open"}');
  }

  #pass(request: IncomingMessage, response: ServerResponse, { hostname, port, pathname, search }: URL): void {
    const { method, rawHeaders } = request;
    const path = pathname + search;
    const onward = requestHttp({ hostname, port, path, method, headers: rawHeaders }, (answer) => {
      response.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}
