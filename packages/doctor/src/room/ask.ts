import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Longest wait for the whole answer. @default 30_000 */
  timeoutMs?: number;
}

export interface Answer {
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
export function ask(url: string, question: Question = {}): Promise<Answer> {
  const {
    method = question.body === undefined ? 'GET' : 'POST',
    headers = {},
    body,
    timeoutMs = 30_000,
  } = question;
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            json: parsed(text),
            tookMs: performance.now() - startedAtMs,
          });
        });
      },
    );
    call.once('error', (error) =>
      reject(
        error.name === 'TimeoutError' || error.name === 'AbortError'
          ? new Error(`No answer within ${timeoutMs} ms.`)
          : error,
      ),
    );
    call.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
