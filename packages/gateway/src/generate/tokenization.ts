import type { Renderer } from '../tokens/renderer.ts';
import type { StreamDecoder } from '../tokens/stream-decoder.ts';
import type { DecodeOptions } from '../tokens/text-decoder.ts';
import type { BridgeTask, RenderTask } from '../tokens/token-engine.ts';

/** Where a call goes, for those who tokenise at the engine itself. */
export interface EngineAddress {
  baseUrl: string;
  headers: Readonly<Record<string, string | string[]>>;
  model: string;
  signal: AbortSignal;
}

/** Prompts to ids and ids to text, here or at the engine. */
export interface Tokenization {
  /** Whether it is done here, without asking an engine. */
  readonly isLocal: boolean;
  render(task: RenderTask, at: EngineAddress): Promise<Int32Array>;
  /** Undefined where the conversation has to be rendered anew. */
  bridge(task: BridgeTask, at: EngineAddress): Promise<Int32Array | undefined>;
  decode(ids: Int32Array, options: DecodeOptions, at: EngineAddress): Promise<string>;
  /** Undefined where text cannot be had token by token. */
  streamDecoder(options: DecodeOptions): StreamDecoder | undefined;
  tokenText(id: number): string;
  readonly stopTokenIds: ReadonlySet<number>;
  readonly specialTokenIds: ReadonlySet<number>;
  close(): Promise<void>;
}

/** With a checkpoint's tokenizer, in render threads. */
export function localTokenization(renderer: Renderer): Tokenization {
  return {
    isLocal: true,
    render: (task, at) => renderer.render(task, at.signal),
    bridge: (task, at) => renderer.bridge(task, at.signal),
    decode: (ids, options) => renderer.decode(ids, options),
    streamDecoder: (options) => renderer.streamDecoder(options),
    tokenText: (id) => renderer.tokenText(id),
    stopTokenIds: renderer.stopTokenIds,
    specialTokenIds: renderer.specialTokenIds,
    close: () => renderer.close(),
  };
}
