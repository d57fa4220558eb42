import { mockModelApp, type MockModelOptions } from './mock-model-app.ts';

export interface StartMockModelOptions extends MockModelOptions {
  /** Port on 127.0.0.1; 0 takes any free one. @default 0 */
  port?: number | undefined;
}

export interface MockModel {
  /** The server, which is what Anthropic's clients take as their `baseURL`: `http://127.0.0.1:PORT`. */
  url: string;
  /** What OpenAI's clients take as their `baseURL`: `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  close(): Promise<void>;
}

/**
 * Serves a scripted model on loopback.
 * @throws ArtError `ART_INVALID_OPTION` when the rules are none; Node's `EADDRINUSE` when the port is taken
 */
export async function startMockModel(options: StartMockModelOptions = {}): Promise<MockModel> {
  const { port = 0, ...rest } = options;
  const app = mockModelApp(rest);
  const url = await app.listen({ host: '127.0.0.1', port });
  return { url, baseUrl: `${url}/v1`, close: () => app.close() };
}
