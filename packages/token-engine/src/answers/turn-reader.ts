import { nothingSaid, type ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnDelta } from '../parsers/turn-stream.ts';
import { engineFault } from '../calls/call-errors.ts';
import type { CallContext } from '../calls/chat-call.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';

/** Takes sampled tokens apart into what was said, thought and called. */
export interface TurnReader {
  /**
   * Called before anything is sampled.
   * @throws ApiError where the answer could not be read
   */
  prepare?(context: CallContext): Promise<void>;
  /** Undefined where an answer cannot be shown while it is sampled. */
  openStream(context: CallContext): Promise<AnswerStream | undefined>;
  /** @throws ApiError where that is the engine's work and it fails */
  read(turn: SampledTurn, context: CallContext): Promise<ParsedTurn>;
}

/** For engines that take an answer apart on the way on which they sample it, never streamed. */
export const sampledMessageReader: TurnReader = {
  openStream: () => Promise.resolve(undefined),
  read({ message, ids }) {
    // Without tokens the context was full before anything was sampled.
    if (message === undefined && ids.length > 0) {
      return Promise.reject(engineFault('The engine gave tokens without a message.', 'engine_bad_reply'));
    }
    return Promise.resolve(message ?? nothingSaid);
  },
};

/** An answer while it is sampled. */
export interface AnswerStream {
  /** What has become certain. */
  push(ids: readonly number[]): TurnDelta | Promise<TurnDelta>;
  /** The rest, and the answer as a whole as it was given out. */
  finish(
    finish: SampleFinish | undefined,
  ): (TurnDelta & { parsed: ParsedTurn }) | Promise<TurnDelta & { parsed: ParsedTurn }>;
}
