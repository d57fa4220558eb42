import type { AddressInfo } from 'node:net';
import { mockModelApp, type MockModelOptions } from './mock-model-app.ts';

export interface StartMockModelOptions extends MockModelOptions {
  /** 0 takes any free one. @default 0 */
  port?: number | undefined;
  /** Address to listen at: `0.0.0.0` for an agent in a container. @default `127.0.0.1` */
  host?: string | undefined;
}

export interface MockModel {
  /** The server, which is what Anthropic's clients take as their `baseURL`: `http://127.0.0.1:PORT`. */
  url: string;
  /** Address for OpenAI's clients (`baseURL`): `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  close(): Promise<void>;
}

/**
 * Serves a scripted model, on loopback unless another address is given.
 * @throws ArtError `ART_INVALID_OPTION` when the rules are none; Node's `EADDRINUSE` when the port is taken
 */
export async function startMockModel(options: StartMockModelOptions = {}): Promise<MockModel> {
  const { port = 0, host = '127.0.0.1', ...rest } = options;
  const app = mockModelApp(rest, host);
  await app.listen({ host, port });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return { url, baseUrl: `${url}/v1`, close: () => app.close() };
}
