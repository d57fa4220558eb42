import type { TokenIds } from '@art/json-bytes';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import type { Delta } from './read-delta.ts';
import type { Logprobs } from './read-logprobs.ts';
import type { Sglext } from './read-sglext.ts';

/** What one object, a whole reply or an event of a stream, has of one choice. */
export interface ChoicePart {
  index: number | undefined;
  /** A whole message, JSON text. */
  message: string | undefined;
  delta: Delta | undefined;
  /** Text of the completions wire: JSON without its quotes. */
  text: string | undefined;
  finishReason: string | undefined;
  promptTokenIds: TokenIds | undefined;
  tokenIds: TokenIds | undefined;
  logprobs: Logprobs | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[];
  routedExperts: RoutedExperts | undefined;
  routingMatrices: readonly string[] | undefined;
  /** Whether it was sent only to carry ids that are stripped from it. */
  isIdsOnly: boolean;
}

/** What one object, a whole reply or an event of a stream, has to say. */
export interface ReplyPart {
  model: string | undefined;
  /** Ids at the top, a list for each prompt. */
  promptTokenIds: readonly TokenIds[] | undefined;
  /** undefined where there is no such member. */
  choices: readonly ChoicePart[] | undefined;
  usage: { prompt: number | undefined; completion: number | undefined } | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[];
  sglext: Sglext | undefined;
  /** The error in place of an answer, JSON text. */
  error: string | undefined;
  /** Whether, as an event, it has nothing for the agent once it is stripped. */
  isForGateway: boolean;
}
