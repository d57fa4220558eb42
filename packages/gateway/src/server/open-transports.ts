import type { EngineTransport } from '../engines/engine-transport.ts';
import { openGenerateTransport } from '../generate/open-generate-transport.ts';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { HttpTransport } from '../proxy/http-transport.ts';
import type { RouteContext } from './route-context.ts';

/** The ways to the engines. */
export interface Transports {
  http: HttpTransport;
  /** For chat calls; the same as `http` unless the gateway renders and samples token ids itself. */
  chat: EngineTransport;
  sessionsDeleted: RouteContext['sessionsDeleted'];
}

/** @throws ArtError `ART_INVALID_OPTION`, `ART_TOKENIZER_UNREADABLE` */
export async function openTransports(options: ResolvedGatewayOptions): Promise<Transports> {
  const http = new HttpTransport({ maxConnections: options.maxConnectionsPerWorker });
  if (options.tokenMode === undefined) return { http, chat: http, sessionsDeleted: [] };
  const chat = await openGenerateTransport({ ...options.tokenMode, http });
  const forget = (sessionIds: readonly string[]): void => {
    for (const sessionId of sessionIds) chat.forgetSession(sessionId);
  };
  return { http, chat, sessionsDeleted: [forget] };
}
