import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { WeightVersionSpan } from '@art/trajectories';
import type { CallContext } from '../calls/chat-call.ts';

/** One prompt to be continued by an engine. */
export interface SampleTask extends CallContext {
  /** What the engine made of the call besides the ids, where it rendered the prompt: members as JSON text. */
  rendered: ReadonlyMap<string, string> | undefined;
  maxTokens: number;
  /** Whether tokens are wanted as they come, rather than all at the end. */
  stream: boolean;
}

/** An alternative to a sampled token. */
export interface TopLogprob {
  id: number;
  logprob: number | null;
}

/** What is new since the last part. */
export interface SamplePart {
  /** Which of several answers to the prompt it is of. @default 0 */
  choice?: number | undefined;
  ids: readonly number[];
  /** One for each id; null where the engine has none. Undefined where it gave none at all. */
  logprobs: readonly (number | null)[] | undefined;
  topLogprobs?: readonly (readonly TopLogprob[])[] | undefined;
  /** Only in the last part. */
  finish?: SampleFinish | undefined;
  weightVersion?: string | undefined;
  weightVersions?: readonly WeightVersionSpan[] | undefined;
  /** As the engine encoded it. */
  routedExperts?: string | undefined;
  usage?: { prompt?: number | undefined; completion?: number | undefined; cached?: number | undefined };
  /** The answer taken apart, where the engine does that on the same way. */
  message?: ParsedTurn | undefined;
}

export interface SampleFinish {
  /** `stop`, `length`, `abort` or another word of the engine. */
  reason: string;
  /** The text or token that stopped it. */
  matched?: string | number | undefined;
  message?: string | undefined;
}

/** The token route of a kind of engine. */
export interface TokenSampler {
  /**
   * Resolves once the engine has answered with a status. A call that is not streamed has one part for each choice.
   * @throws EngineRefused, EngineUnreachable
   */
  sample(task: SampleTask): Promise<AsyncIterable<SamplePart>>;
  /** Tells the engine that nobody waits any more; undefined where losing the connection does. */
  abort?: ((context: CallContext) => Promise<void>) | undefined;
}
