import type { TokenIds } from '../json-bytes/read-numbers.ts';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import { captureProblem } from './captured-reply.ts';
import { MessageBuilder } from './message-builder.ts';
import type { ChoicePart } from './read-reply.ts';
import { StreamedNumbers, type NumberArray } from './streamed-numbers.ts';

/** One choice while its parts come in. */
export class ChoiceDraft {
  readonly index: number;
  readonly logprobs = new StreamedNumbers();
  readonly problems: string[] = [];
  hasLogprobs = false;
  promptTokenIds: Int32Array | undefined;
  finishReason: string | undefined;
  matchedStop: string | number | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[] = [];
  routedExperts: RoutedExperts | undefined;
  routingMatrices: readonly string[] | undefined;
  readonly #message = new MessageBuilder();
  #wholeMessage: string | undefined;
  readonly #ids = new StreamedNumbers();
  #hasIds = false;
  // Ids found beside the logprobs, for engines that give no others.
  readonly #logprobIds = new StreamedNumbers();
  // Tokens whose logprobs came without ids: then the others' ids are not those of the whole.
  #hasLogprobsWithoutIds = false;
  // All ids, where the engine sent them in one piece beside the events.
  #finalIds: StreamedNumbers | undefined;

  constructor(index: number) {
    this.index = index;
  }

  /** True if the engine has sent any part of the answer. */
  get hasContent(): boolean {
    return this.#wholeMessage !== undefined || this.#message.hasContent || this.#ids.deltaLength > 0;
  }

  get message(): string {
    return this.#wholeMessage ?? this.#message.toJson();
  }

  /** Undefined where the engine gave none; empty where it sampled none. */
  get tokenIds(): StreamedNumbers | undefined {
    if (this.#finalIds !== undefined) return this.#finalIds;
    if (this.#hasIds) return this.#ids;
    return this.hasLogprobs && !this.#hasLogprobsWithoutIds ? this.#logprobIds : undefined;
  }

  add(part: ChoicePart): void {
    this.#wholeMessage = part.message ?? this.#wholeMessage;
    if (part.delta !== undefined) this.#message.add(part.delta);
    if (part.text !== undefined) this.#message.addText(part.text);
    this.finishReason = part.finishReason ?? this.finishReason;
    this.matchedStop = part.matchedStop ?? this.matchedStop;
    this.weightVersion = part.weightVersion ?? this.weightVersion;
    if (part.weightVersions.length > 0) this.weightVersions = part.weightVersions;
    this.routedExperts = part.routedExperts ?? this.routedExperts;
    this.routingMatrices = part.routingMatrices ?? this.routingMatrices;
    if (part.promptTokenIds !== undefined) {
      this.promptTokenIds ??= this.#checked(part.promptTokenIds, 'prompt');
    }
    if (part.tokenIds !== undefined) {
      this.#hasIds = true;
      this.#ids.add(this.#checked(part.tokenIds, 'completion'));
    }
    if (part.logprobs !== undefined) {
      this.hasLogprobs = true;
      this.logprobs.add(part.logprobs.values);
      if (part.logprobs.tokenIds !== undefined) this.#logprobIds.add(part.logprobs.tokenIds);
      else if (part.logprobs.values.length > 0) this.#hasLogprobsWithoutIds = true;
    }
  }

  /** Takes all ids of the choice at once. */
  setFinalIds(ids: TokenIds): void {
    this.#finalIds = new StreamedNumbers();
    this.#finalIds.add(this.#checked(ids, 'completion'));
  }

  #checked(ids: TokenIds, of: string): Int32Array {
    if (ids.problem !== undefined) {
      this.problems.push(captureProblem('token_id', `${ids.problem}, in the ids of the ${of}`));
    }
    return ids.values;
  }
}

/** The tokens of a choice, once the whole answer is known. */
interface ResolvedTokens {
  /** undefined where the engine gave none. */
  tokenIds: Int32Array | undefined;
  logprobs: Float64Array | undefined;
}

/**
 * Decides for every choice whether its ids and logprobs came as what was new with each event or as all there was so far. The
 * engine's own count decides; without one, whether the arrays grew with every event.
 * @param counted `usage.completion_tokens`, of all choices together
 */
export function resolveTokens(
  choices: readonly ChoiceDraft[],
  counted: number | undefined,
): readonly ResolvedTokens[] {
  let asDeltas = 0;
  let asWholes = 0;
  for (const { tokenIds, logprobs } of choices) {
    const { deltaLength, cumulativeLength = deltaLength } = tokenIds ?? logprobs;
    asDeltas += deltaLength;
    asWholes += cumulativeLength;
  }
  const isSaid = asDeltas !== asWholes && (counted === asWholes || counted === asDeltas);
  return choices.map(({ tokenIds, logprobs, hasLogprobs }) => {
    const isCumulative = isSaid ? counted === asWholes : (tokenIds ?? logprobs).looksCumulative;
    const ids = tokenIds?.toArray(isCumulative);
    const isSame = ids === undefined ? isCumulative : fits(logprobs, ids.length, isCumulative);
    return {
      tokenIds: ids && (ids instanceof Int32Array ? ids : Int32Array.from(ids)),
      logprobs: hasLogprobs ? toDoubles(logprobs.toArray(isSame)) : undefined,
    };
  });
}

function toDoubles(values: NumberArray | number[]): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

// Logprobs and ids of one stream need not be sent the same way: whichever reading has one logprob for each id.
function fits(numbers: StreamedNumbers, length: number, otherwise: boolean): boolean {
  if (numbers.cumulativeLength === length) return true;
  return numbers.deltaLength === length ? false : otherwise;
}
