import type { CalledEngine } from '../calls/called-engine.ts';
import type { ChatCall } from '../calls/chat-call.ts';
import { RenderPool } from '../tokens/render-pool.ts';
import type { TokenizerDescription } from '../tokens/render-worker.ts';
import { type DecodeOptions, StreamDecoder, TextDecoderOfTokens } from '../tokens/text-decoder.ts';
import type { BridgeRequest, RenderedPrompt, Tokenization } from './tokenization.ts';

/**
 * With a checkpoint's own template and tokenizer, in render threads; decoding is done here.
 * Rendering fails with ArtError `ART_TEMPLATE_FAILED`, `ART_UNSUPPORTED_MESSAGE`, `ART_JSON_PARSE` or `ART_RENDER_FAILED`.
 */
export class LocalTokenization implements Tokenization {
  readonly stopTokenIds: ReadonlySet<number>;
  readonly specialTokenIds: ReadonlySet<number>;
  // As large as the vocabulary at most; every logprob that is told needs the text of its token.
  readonly #texts: string[] = [];
  readonly #pool: RenderPool;
  readonly #decoder: TextDecoderOfTokens;

  private constructor(pool: RenderPool, { tables, stopTokenIds }: TokenizerDescription) {
    this.#pool = pool;
    this.#decoder = new TextDecoderOfTokens(tables);
    this.stopTokenIds = new Set(stopTokenIds);
    const special = tables.addedTokens.filter((token) => token.special);
    this.specialTokenIds = new Set([...stopTokenIds, ...special.map((token) => token.id)]);
  }

  /**
   * Ready when the threads have loaded the checkpoint.
   * @throws ArtError `ART_TOKENIZER_UNREADABLE`
   */
  static async open(checkpoint: string, threads: number): Promise<LocalTokenization> {
    const pool = new RenderPool({ data: { checkpoint }, threads });
    try {
      return new LocalTokenization(pool, await pool.run({ kind: 'describe' }));
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  async countTokens(call: ChatCall, signal: AbortSignal): Promise<number> {
    return (await this.#render(call, signal)).length;
  }

  async render(call: ChatCall, { signal }: Pick<CalledEngine, 'signal'>): Promise<RenderedPrompt> {
    return { ids: await this.#render(call, signal) };
  }

  async bridge(
    { call, lastToken, newMessages, toolCalls }: BridgeRequest,
    { signal }: Pick<CalledEngine, 'signal'>,
  ): Promise<RenderedPrompt | undefined> {
    const { tools, templateArguments } = call;
    const task = { lastToken, newMessages, tools, templateArguments, toolCalls };
    const ids = await this.#pool.run({ kind: 'bridge', task }, signal);
    return ids && { ids };
  }

  decode(ids: Int32Array, options?: DecodeOptions): Promise<string> {
    return Promise.resolve(this.#decoder.decode(ids, options));
  }

  streamDecoder(options?: DecodeOptions): StreamDecoder {
    return new StreamDecoder(this.#decoder, options);
  }

  tokenText(id: number): string {
    return (this.#texts[id] ??= this.#decoder.decode([id]));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #render({ messages, tools, templateArguments }: ChatCall, signal: AbortSignal): Promise<Int32Array> {
    return this.#pool.run({ kind: 'render', task: { messages, tools, templateArguments } }, signal);
  }
}
