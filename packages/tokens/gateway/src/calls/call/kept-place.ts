import type { KeptAnswer } from '../../engines/answer-store.ts';
import type { EngineReply } from '../../engines/engine-transport.ts';

/** The place of one call among the answers that are kept. */
export class KeptPlace {
  /** Undefined where the engine is to be asked. */
  readonly reply: EngineReply | undefined;
  readonly #write: (answer: KeptAnswer) => Promise<void>;
  #headers: EngineReply['headers'] = {};
  #chunks: Uint8Array[] = [];

  constructor(kept: KeptAnswer | undefined, write: (answer: KeptAnswer) => Promise<void>) {
    this.reply = kept && { status: 200, headers: kept.headers, body: oneChunk(kept.body) };
    this.#write = write;
  }

  /** Passes an answer on, and remembers what comes. */
  remember(reply: EngineReply): EngineReply {
    this.#headers = reply.headers;
    this.#chunks = [];
    return reply.status === 200 ? { ...reply, body: this.#remembered(reply.body) } : reply;
  }

  /** Keeps what was remembered, once it is known to be a good answer. */
  async keep(): Promise<void> {
    if (this.#chunks.length > 0)
      await this.#write({ headers: this.#headers, body: Buffer.concat(this.#chunks) });
  }

  async *#remembered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of body) {
      this.#chunks.push(chunk);
      yield chunk;
    }
  }
}

async function* oneChunk(body: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield body;
}
