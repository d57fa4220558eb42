import type { Renderer } from '../tokens/renderer.ts';
import type { StreamDecoder } from '../tokens/stream-decoder.ts';
import type { DecodeOptions } from '../tokens/text-decoder.ts';
import type { BridgeTask } from '../tokens/token-engine.ts';
import type { ChatCall } from '../calls/chat-call.ts';

/** Where a call goes, for those who ask the engine itself about its tokens. */
export interface EngineAddress {
  baseUrl: string;
  /** Under which the engine's OpenAI routes are: `/v1`. */
  apiPath: string;
  headers: Readonly<Record<string, string | string[]>>;
  model: string;
  sessionId: string | undefined;
  signal: AbortSignal;
}

/** A prompt as tokens. */
export interface RenderedPrompt {
  ids: Int32Array;
  /** What the engine made of the call besides the ids, where it rendered: members as JSON text. */
  rendered?: ReadonlyMap<string, string> | undefined;
}

/** The turn before, and what a request goes on with. */
export interface BridgeRequest extends BridgeTask {
  call: ChatCall;
  /** Whether the turn ended with a token of the model's own, the last of the completion. */
  isClosed: boolean;
}

/** Prompts to ids and ids to text, here or at the engine. */
export interface Tokenization {
  /** Whether it is done here, without asking an engine. */
  readonly isLocal: boolean;
  render(call: ChatCall, at: EngineAddress): Promise<RenderedPrompt>;
  /** Undefined where the conversation has to be rendered anew. */
  bridge(request: BridgeRequest, at: EngineAddress): Promise<RenderedPrompt | undefined>;
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
    async render({ messages, tools, templateArguments }, at) {
      return { ids: await renderer.render({ messages, tools, templateArguments }, at.signal) };
    },
    async bridge({ call: _call, isClosed: _isClosed, ...task }, at) {
      const ids = await renderer.bridge(task, at.signal);
      return ids && { ids };
    },
    decode: (ids, options) => renderer.decode(ids, options),
    streamDecoder: (options) => renderer.streamDecoder(options),
    tokenText: (id) => renderer.tokenText(id),
    stopTokenIds: renderer.stopTokenIds,
    specialTokenIds: renderer.specialTokenIds,
    close: () => renderer.close(),
  };
}
