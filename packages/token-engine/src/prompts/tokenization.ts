import type { Renderer } from '../tokens/renderer.ts';
import type { StreamDecoder } from '../tokens/stream-decoder.ts';
import type { DecodeOptions } from '../tokens/text-decoder.ts';
import type { BridgeTask } from '../tokens/token-engine.ts';
import type { CalledEngine } from '../calls/called-engine.ts';
import type { CallContext, ChatCall } from '../calls/chat-call.ts';

/** A prompt as tokens. */
export interface RenderedPrompt {
  ids: Int32Array;
  /** What the engine made of the call besides the ids, where it rendered: members as JSON text. */
  rendered?: ReadonlyMap<string, string> | undefined;
}

/** How the turn before ended, and what a request goes on with. */
export interface BridgeRequest extends Pick<BridgeTask, 'lastToken' | 'newMessages' | 'toolCalls'> {
  call: ChatCall;
  /** Whether the turn ended with a token of the model's own. */
  isClosed: boolean;
}

/** Prompts to ids and ids to text, here or at the engine. */
export interface Tokenization {
  /** How many tokens a call's prompt has; undefined where only an engine could say. */
  countTokens(call: ChatCall, signal: AbortSignal): Promise<number | undefined>;
  render(call: ChatCall, engine: CalledEngine): Promise<RenderedPrompt>;
  /** What follows the previous tokens. Undefined where the conversation has to be rendered anew. */
  bridge(request: BridgeRequest, engine: CalledEngine): Promise<RenderedPrompt | undefined>;
  decode(ids: Int32Array, options: DecodeOptions, context: CallContext): Promise<string>;
  /** Undefined where text cannot be had token by token. */
  streamDecoder(options: DecodeOptions): StreamDecoder | undefined;
  tokenText(id: number): string;
  readonly stopTokenIds: ReadonlySet<number>;
  readonly specialTokenIds: ReadonlySet<number>;
  close(): Promise<void>;
}

/** With a checkpoint's tokenizer, in render threads. */
export function localTokenization(renderer: Renderer): Tokenization {
  const render = (
    { messages, tools, templateArguments }: ChatCall,
    signal: AbortSignal,
  ): Promise<Int32Array> => renderer.render({ messages, tools, templateArguments }, signal);
  return {
    countTokens: async (call, signal) => (await render(call, signal)).length,
    render: async (call, { signal }) => ({ ids: await render(call, signal) }),
    async bridge({ call: { tools, templateArguments }, lastToken, newMessages, toolCalls }, { signal }) {
      const task = { lastToken, newMessages, tools, templateArguments, toolCalls };
      const ids = await renderer.bridge(task, signal);
      return ids && { ids };
    },
    decode: (ids, options) => Promise.resolve(renderer.decode(ids, options)),
    streamDecoder: (options) => renderer.streamDecoder(options),
    tokenText: (id) => renderer.tokenText(id),
    stopTokenIds: renderer.stopTokenIds,
    specialTokenIds: renderer.specialTokenIds,
    close: () => renderer.close(),
  };
}
