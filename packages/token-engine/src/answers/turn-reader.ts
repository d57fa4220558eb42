import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnDelta } from '../parsers/turn-stream.ts';
import type { ChatCall } from '../calls/chat-call.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import type { EngineAddress } from '../prompts/tokenization.ts';

/** What reading an answer takes besides its tokens. */
export interface ReadContext {
  call: ChatCall;
  promptIds: Int32Array;
  /** Identifies the call at the engine. */
  requestId: string;
  at: EngineAddress;
}

/** Takes sampled tokens apart into what was said, thought and called. */
export interface TurnReader {
  /**
   * Called before anything is sampled.
   * @throws CallRefusal where the answer could not be read
   */
  prepare?(context: ReadContext): Promise<void>;
  /** Whether an answer can be shown while it is sampled. */
  canStream(context: ReadContext): boolean;
  /** Only where it can. */
  openStream(context: ReadContext): Promise<AnswerStream>;
  /** @throws CallRefusal where that is the engine's work and it fails */
  read(turn: SampledTurn, context: ReadContext): Promise<ParsedTurn>;
}

/** An answer while it is sampled. */
export interface AnswerStream {
  /** What has become certain. */
  push(ids: readonly number[]): TurnDelta | Promise<TurnDelta>;
  /** The rest, and the answer as a whole as it was given out. */
  finish(
    finish: SampleFinish | undefined,
  ): (TurnDelta & { parsed: ParsedTurn }) | Promise<TurnDelta & { parsed: ParsedTurn }>;
}
