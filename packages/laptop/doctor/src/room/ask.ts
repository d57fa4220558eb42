import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Longest wait for the whole answer. @default 30_000 */
  timeoutMs?: number;
}

export interface AskedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Undefined where the text is no JSON. */
  json: unknown;
  tookMs: number;
}

/**
 * Asks as AgentCore does: with the headers that are given and no others, which `fetch` would add.
 * @throws Error where no whole answer came, with the reason
 */
export async function ask(url: string, question: Question = {}): Promise<AskedAnswer> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers = {}, timeoutMs = 30_000 } = question;
  const startedAtMs = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const call = request(url, { method, headers, agent: false, signal });
  // An answer may come before all of the body has gone, and the rest then fails.
  call.on('error', () => undefined);
  call.end(body);
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const received = await text(response);
    return {
      status: response.statusCode!,
      headers: response.headers,
      text: received,
      json: parsed(received),
      tookMs: performance.now() - startedAtMs,
    };
  } catch (error) {
    throw signal.aborted ? new Error(`No answer within ${timeoutMs} ms.`) : error;
  }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}
