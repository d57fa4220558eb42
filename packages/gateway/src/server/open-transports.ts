import type { EngineTransport } from '../engines/engine-transport.ts';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { HttpTransport } from '../engines/http-transport.ts';

/** The ways to the engines. */
export interface Transports {
  http: HttpTransport;
  /** For chat calls; the same as `http` unless another one was passed in. */
  chat: EngineTransport;
}

/** @throws what the transport that was passed in could not be opened for */
export async function openTransports(options: ResolvedGatewayOptions): Promise<Transports> {
  const http = new HttpTransport({ maxConnections: options.maxConnectionsPerWorker });
  if (options.transport === undefined) return { http, chat: http };
  try {
    return { http, chat: await options.transport(http) };
  } catch (error) {
    await http.close();
    throw error;
  }
}
