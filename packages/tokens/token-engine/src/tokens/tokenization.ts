import { RenderPool } from './render-pool.ts';
import type { RenderTask } from './prompt-encoder.ts';
import type { TokenizerDescription } from './render-worker.ts';
import { type DecodeOptions, TextDecoderOfTokens } from './text-decoder.ts';

/**
 * Prompts to ids, by a checkpoint's own template and tokenizer in render threads, and ids to text, here.
 * Rendering fails with ArtError `ART_TEMPLATE_FAILED`, `ART_UNSUPPORTED_MESSAGE`, `ART_JSON_PARSE` or `ART_RENDER_FAILED`.
 */
export class Tokenization {
  /** Tokens that end a turn. */
  readonly stopTokenIds: ReadonlySet<number>;
  // As large as the vocabulary at most; every logprob that is reported needs the text of its token.
  readonly #texts: string[] = [];
  readonly #pool: RenderPool;
  readonly #decoder: TextDecoderOfTokens;

  private constructor(pool: RenderPool, { tables, stopTokenIds }: TokenizerDescription) {
    this.#pool = pool;
    this.#decoder = new TextDecoderOfTokens(tables);
    this.stopTokenIds = new Set(stopTokenIds);
  }

  /**
   * Ready when the threads have loaded the checkpoint.
   * @throws ArtError `ART_TOKENIZER_UNREADABLE`
   */
  static async open(checkpoint: string, threads: number): Promise<Tokenization> {
    const pool = new RenderPool({ data: { checkpoint }, threads });
    try {
      return new Tokenization(pool, await pool.run({ kind: 'describe' }));
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  render(task: RenderTask, signal: AbortSignal): Promise<Int32Array> {
    return this.#pool.run({ kind: 'render', task }, signal);
  }

  decode(ids: ArrayLike<number>, options?: DecodeOptions): string {
    return this.#decoder.decode(ids, options);
  }

  /** The text of one token; U+FFFD where it is a part of a character. */
  tokenText(id: number): string {
    return (this.#texts[id] ??= this.#decoder.decode([id]));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
