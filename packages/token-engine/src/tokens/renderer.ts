import { availableParallelism } from 'node:os';

import { ArtError, describeValue } from '@art/protocol';

import { CharacterEncoder } from './character-encoder.ts';
import { checkFolder } from './checkpoint.ts';
import type { TokenizerDescription } from './render-job.ts';
import { RenderPool } from './render-pool.ts';
import { StreamDecoder } from './stream-decoder.ts';
import { TextDecoderOfTokens, type DecodeOptions, type IdDecoder } from './text-decoder.ts';
import type { BridgeTask, RenderTask } from './token-engine.ts';

/** Turns conversations into token ids and ids into text, for one model. */
export interface Renderer {
  /**
   * The prompt of a conversation, as Python's `apply_chat_template` gives it.
   * @throws ArtError `ART_TEMPLATE_FAILED`, `ART_UNSUPPORTED_MESSAGE`, `ART_JSON_PARSE`, `ART_RENDER_FAILED`
   */
  render(task: RenderTask, signal?: AbortSignal): Promise<Int32Array>;
  /** The next prompt as the previous tokens, verbatim, and what follows them; undefined where it has to be rendered anew. */
  bridge(task: BridgeTask, signal?: AbortSignal): Promise<Int32Array | undefined>;
  /** Special tokens written out in the text become their ids; none is added. */
  encode(text: string, signal?: AbortSignal): Promise<Int32Array>;
  decode(ids: Int32Array, options?: DecodeOptions): Promise<string>;
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
  /** Folder of a checkpoint, or `characters`: a tokenizer without a model, for trying things out. */
  checkpoint: string;
  /**
   * How many threads render. Each holds the tokenizer, 150 to 300 MB with a vocabulary of 150,000.
   * @default 2, or 1 on a machine with two cores or fewer
   */
  threads?: number | undefined;
}

// Below this decoding takes a fraction of a millisecond, less than a thread costs in going there and back.
const inlineDecodeTokens = 1_024;

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
  const checkpoint =
    options.checkpoint === 'characters' ? options.checkpoint : checkFolder(options.checkpoint);
  const pool = new RenderPool({ data: { checkpoint }, threads });
  try {
    const description = await pool.run({ kind: 'describe' });
    const decoder =
      checkpoint === 'characters' ? new CharacterEncoder() : new TextDecoderOfTokens(description.tables);
    return new PooledRenderer(pool, decoder, description);
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
  readonly #decoder: IdDecoder;

  constructor(pool: RenderPool, decoder: IdDecoder, description: TokenizerDescription) {
    this.#pool = pool;
    this.#decoder = decoder;
    this.stopTokenIds = new Set(description.stopTokenIds);
    const special = description.tables.addedTokens.filter((token) => token.special);
    this.specialTokenIds = new Set([...description.stopTokenIds, ...special.map((token) => token.id)]);
  }

  render(task: RenderTask, signal?: AbortSignal): Promise<Int32Array> {
    return this.#pool.run({ kind: 'render', task }, signal);
  }

  async bridge(task: BridgeTask, signal?: AbortSignal): Promise<Int32Array | undefined> {
    const { previousPrompt, previousCompletion } = task;
    // Only how the turn ended matters to the thread: the tokens themselves need not go there and back.
    const end = previousCompletion.slice(-1);
    const short: BridgeTask = { ...task, previousPrompt: new Int32Array(), previousCompletion: end };
    const bridged = await this.#pool.run({ kind: 'bridge', task: short }, signal);
    if (bridged === undefined) return undefined;
    const known = previousPrompt.length + previousCompletion.length;
    const prompt = new Int32Array(known + bridged.length - end.length);
    prompt.set(previousPrompt);
    prompt.set(previousCompletion, previousPrompt.length);
    prompt.set(bridged.subarray(end.length), known);
    return prompt;
  }

  encode(text: string, signal?: AbortSignal): Promise<Int32Array> {
    return this.#pool.run({ kind: 'encode', text }, signal);
  }

  async decode(ids: Int32Array, options: DecodeOptions = {}): Promise<string> {
    if (ids.length <= inlineDecodeTokens) return this.#decoder.decode(ids, options);
    return this.#pool.run({ kind: 'decode', ids, skipSpecialTokens: options.skipSpecialTokens ?? false });
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
