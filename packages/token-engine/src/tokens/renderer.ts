import { availableParallelism } from 'node:os';

import { ArtError, describeValue } from '@art/protocol';

import { checkFolder } from './checkpoint.ts';
import type { TokenizerDescription } from './render-job.ts';
import { RenderPool } from './render-pool.ts';
import { StreamDecoder } from './stream-decoder.ts';
import { TextDecoderOfTokens, type DecodeOptions } from './text-decoder.ts';
import type { BridgeTask, RenderTask } from './token-engine.ts';

/** Turns conversations into token ids and ids into text, for one model. */
export interface Renderer {
  /**
   * The prompt of a conversation, as Python's `apply_chat_template` gives it.
   * @throws ArtError `ART_TEMPLATE_FAILED`, `ART_UNSUPPORTED_MESSAGE`, `ART_JSON_PARSE`, `ART_RENDER_FAILED`
   */
  render(task: RenderTask, signal?: AbortSignal): Promise<Int32Array>;
  /** What follows the previous tokens; undefined where the conversation has to be rendered anew. */
  bridge(task: BridgeTask, signal?: AbortSignal): Promise<Int32Array | undefined>;
  decode(ids: Int32Array, options?: DecodeOptions): string;
  /** The text of one token; U+FFFD where it is a part of a character. */
  tokenText(id: number): string;
  /** For text that comes token by token. */
  streamDecoder(options?: DecodeOptions): StreamDecoder;
  /** Tokens that end a turn. */
  readonly stopTokenIds: ReadonlySet<number>;
  /** Tokens that are no text, those that end a turn among them. */
  readonly specialTokenIds: ReadonlySet<number>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Folder of a checkpoint. */
  checkpoint: string;
  /**
   * How many threads render. Each holds the tokenizer, 150 to 300 MB with a vocabulary of 150,000.
   * @default 2, or 1 on a machine with two cores or fewer
   */
  threads?: number | undefined;
}

/**
 * Loads a checkpoint's tokenizer and chat template into render threads; ready when they are.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_TOKENIZER_UNREADABLE`
 */
export async function openRenderer(options: RendererOptions): Promise<Renderer> {
  const threads = options.threads ?? (availableParallelism() > 2 ? 2 : 1);
  if (!Number.isInteger(threads) || threads < 1 || threads > 64) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected threads to be a whole number from 1 to 64, got ${describeValue(threads)}.`,
    });
  }
  const checkpoint = checkFolder(options.checkpoint);
  const pool = new RenderPool({ data: { checkpoint }, threads });
  try {
    return new PooledRenderer(pool, await pool.run({ kind: 'describe' }));
  } catch (error) {
    await pool.close();
    throw error;
  }
}

class PooledRenderer implements Renderer {
  readonly stopTokenIds: ReadonlySet<number>;
  readonly specialTokenIds: ReadonlySet<number>;
  // As large as the vocabulary at most; every logprob that is told needs the text of its token.
  readonly #texts: string[] = [];
  readonly #pool: RenderPool;
  readonly #decoder: TextDecoderOfTokens;

  constructor(pool: RenderPool, description: TokenizerDescription) {
    this.#pool = pool;
    this.#decoder = new TextDecoderOfTokens(description.tables);
    this.stopTokenIds = new Set(description.stopTokenIds);
    const special = description.tables.addedTokens.filter((token) => token.special);
    this.specialTokenIds = new Set([...description.stopTokenIds, ...special.map((token) => token.id)]);
  }

  render(task: RenderTask, signal?: AbortSignal): Promise<Int32Array> {
    return this.#pool.run({ kind: 'render', task }, signal);
  }

  bridge(task: BridgeTask, signal?: AbortSignal): Promise<Int32Array | undefined> {
    return this.#pool.run({ kind: 'bridge', task }, signal);
  }

  decode(ids: Int32Array, options: DecodeOptions = {}): string {
    return this.#decoder.decode(ids, options);
  }

  tokenText(id: number): string {
    return (this.#texts[id] ??= this.#decoder.decode([id]));
  }

  streamDecoder(options?: DecodeOptions): StreamDecoder {
    return new StreamDecoder(this.#decoder, options);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
