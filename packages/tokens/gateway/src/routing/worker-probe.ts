import { Agent, request } from 'undici';
import type { SignRequest } from '../engines/sign-request.ts';

/** A worker's answer to a small question. */
export interface ProbeReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

// Nothing that a probe reads is longer; a server that sends more is not what it was taken for.
const maxProbeBytes = 1_048_576;

/** Small GET requests to workers, on their own connections: calls that wait never delay a health check. */
export class WorkerProbe {
  readonly #agent: Agent;
  readonly #sign: SignRequest | undefined;

  constructor(sign?: SignRequest) {
    this.#sign = sign;
    // No pipelining means no keep-alive: a kept connection could be dead without telling.
    this.#agent = new Agent({ connections: 16, pipelining: 0, maxResponseSize: maxProbeBytes });
  }

  /** @throws whatever undici throws where no answer comes within the time */
  async get(url: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeReply> {
    const headers = await this.#sign?.({ method: 'GET', url, body: undefined });
    const reply = await request(url, {
      ...(headers && { headers }),
      dispatcher: this.#agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: reply.statusCode, headers: reply.headers, body: await reply.body.text() };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
