import type { CalledEngine } from '../calls/called-engine.ts';
import type { CallContext, ChatCall } from '../calls/chat-call.ts';
import type { BridgeTask } from '../tokens/prompt-encoder.ts';
import type { DecodeOptions, StreamDecoder } from '../tokens/text-decoder.ts';

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
  /** The text of one token; U+FFFD where it is a part of a character. */
  tokenText(id: number): string;
  /** Tokens that end a turn. */
  readonly stopTokenIds: ReadonlySet<number>;
  /** Tokens that are no text, those that end a turn among them. */
  readonly specialTokenIds: ReadonlySet<number>;
  close(): Promise<void>;
}
