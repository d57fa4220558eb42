import { chooseGateway } from './choose-gateway.ts';
import type { GatewayClientSettings } from './gateway-client-options.ts';
import { GatewayConnection } from './gateway-connection.ts';

/** One gateway, or several independent ones over which sessions are spread. */
export class Gateways {
  readonly #urls: readonly string[];
  readonly #connections: readonly GatewayConnection[];

  constructor(options: GatewayClientSettings) {
    this.#urls = options.urls;
    this.#connections = options.urls.map((url) => new GatewayConnection(url, options));
  }

  /** True if there are several, so that values must be given that a single gateway would make up. */
  get areSeveral(): boolean {
    return this.#connections.length > 1;
  }

  /** Any of them, always the same: for what is the same at all of them. */
  get first(): GatewayConnection {
    return this.#connections[0]!;
  }

  /** Which of them a session belongs to, from 0. */
  indexOf(sessionId: string): number {
    return chooseGateway(this.#urls, sessionId);
  }

  /** The gateway of a session. */
  of(sessionId: string): GatewayConnection {
    return this.#connections[this.indexOf(sessionId)]!;
  }

  /** Asks all gateways, in their order. */
  all<Result>(ask: (gateway: GatewayConnection) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.#connections.map(ask));
  }

  /** Asks each gateway for those of the sessions that are its own; at least one is asked. */
  bySession<Result>(
    sessionIds: readonly string[],
    ask: (gateway: GatewayConnection, sessionIds: readonly string[]) => Promise<Result>,
  ): Promise<Result[]> {
    const groups = Map.groupBy(sessionIds, (sessionId) => this.of(sessionId));
    if (groups.size === 0) groups.set(this.first, []);
    return Promise.all(Array.from(groups, ([gateway, ids]) => ask(gateway, ids)));
  }
}
