import type { EngineReply, EngineTransport } from '@art/gateway/engine-port';

import { once } from './call-errors.ts';
import { readWhole } from './read-body.ts';

type Headers = EngineReply['headers'];

export interface CalledEngineParts {
  http: EngineTransport;
  baseUrl: string;
  /** Under which the engine's OpenAI routes are: `/v1`. */
  apiPath: string;
  /** Those of the agent. */
  headers: Headers;
  sessionId: string | undefined;
  signal: AbortSignal;
}

/** The engine that one call goes to, and how its routes are reached for that call. */
export class CalledEngine {
  readonly baseUrl: string;
  readonly apiPath: string;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
  readonly #parts: CalledEngineParts;

  constructor(parts: CalledEngineParts) {
    this.#parts = parts;
    this.baseUrl = parts.baseUrl;
    this.apiPath = parts.apiPath;
    this.sessionId = parts.sessionId;
    this.signal = parts.signal;
  }

  /** The same for as long as another signal lets it. */
  within(signal: AbortSignal): CalledEngine {
    return new CalledEngine({ ...this.#parts, signal });
  }

  /** Posts JSON and has the whole answer, whatever its status. */
  async ask(path: string, body: string): Promise<EngineAnswer> {
    return whole(await this.#post(path, body, {}));
  }

  /**
   * Posts JSON to a route that samples, and has its answer as it comes.
   * @throws EngineRefused
   */
  async sample(path: string, body: string, headers: Headers): Promise<AsyncIterable<Uint8Array>> {
    const reply = await this.#post(path, body, headers);
    if (reply.status === 200) return reply.body;
    throw new EngineRefused(await whole(reply));
  }

  #post(path: string, body: string, headers: Headers): Promise<EngineReply> {
    const { http, baseUrl, sessionId, signal } = this.#parts;
    return http.send({
      method: 'POST',
      baseUrl,
      path,
      headers: { ...jsonHeaders(this.#parts.headers), ...headers },
      body: Buffer.from(body),
      sessionId,
      signal,
    });
  }
}

async function whole({ status, headers, body }: EngineReply): Promise<EngineAnswer> {
  return { status, headers, body: await readWhole(body) };
}

// The agent's, but for those that speak of its own body and of the answer that it would like.
function jsonHeaders(headers: Headers): Record<string, string | string[]> {
  const {
    accept: _accept,
    'accept-encoding': _acceptEncoding,
    'content-encoding': _contentEncoding,
    ...forwarded
  } = headers;
  return { ...forwarded, 'content-type': 'application/json' };
}

/** Token ids as a JSON array. */
export function tokenIdsJson(ids: Int32Array): string {
  return `[${ids.join(',')}]`;
}

/** A whole answer of an engine. */
export interface EngineAnswer {
  status: number;
  headers: EngineReply['headers'];
  body: Buffer;
}

/** An engine's refusal that the agent is to have in the engine's own words. */
export class EngineRefused extends Error {
  readonly answer: EngineAnswer;

  constructor(answer: EngineAnswer) {
    super(`The engine refused the call with ${answer.status}.`);
    this.name = 'EngineRefused';
    this.answer = answer;
  }

  /** As a reply. Of the headers only those that its own body has to do with, and when to try again. */
  reply(): EngineReply {
    const { status, headers, body } = this.answer;
    const kept: Record<string, string | string[]> = {
      'content-type': headers['content-type'] ?? 'application/json',
    };
    if (headers['retry-after'] !== undefined) kept['retry-after'] = headers['retry-after'];
    return { status, headers: kept, body: once(body) };
  }
}
