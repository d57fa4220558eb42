import type { TokenIds } from '@art/json-bytes';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import { captureProblem } from './captured-reply.ts';
import { MessageBuilder } from './message-builder.ts';
import type { ChoicePart } from './read-reply.ts';
import { StreamedSequence, type NumberArray } from './streamed-sequence.ts';

/** One choice while its parts come in. */
export class ChoiceDraft {
  readonly index: number;
  readonly ids = new StreamedSequence<Int32Array>((length) => new Int32Array(length));
  readonly logprobs = new StreamedSequence<Float64Array>((length) => new Float64Array(length));
  /** Ids found beside the logprobs, for engines that give no others. */
  readonly logprobIds = new StreamedSequence<Int32Array>((length) => new Int32Array(length));
  readonly problems: string[] = [];
  hasIds = false;
  hasLogprobs = false;
  promptTokenIds: Int32Array | undefined;
  finishReason: string | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[] = [];
  routedExperts: RoutedExperts | undefined;
  routingMatrices: readonly string[] | undefined;
  readonly #message = new MessageBuilder();
  #wholeMessage: string | undefined;
  // Tokens whose logprobs came without ids: then the others' ids are not those of the whole.
  #hasLogprobsWithoutIds = false;
  #finalIds: Int32Array | undefined;

  constructor(index: number) {
    this.index = index;
  }

  /** Whether the engine has sent any of the answer. */
  get hasContent(): boolean {
    return this.#wholeMessage !== undefined || this.#message.hasContent || this.ids.deltaLength > 0;
  }

  get message(): string {
    return this.#wholeMessage ?? this.#message.toJson();
  }

  /** All ids, where the engine sent them in one piece beside the events. */
  get finalIds(): Int32Array | undefined {
    return this.#finalIds;
  }

  get hasLogprobIds(): boolean {
    return this.hasLogprobs && !this.#hasLogprobsWithoutIds;
  }

  add(part: ChoicePart): void {
    this.#wholeMessage = part.message ?? this.#wholeMessage;
    if (part.delta !== undefined) this.#message.add(part.delta);
    if (part.text !== undefined) this.#message.addText(part.text);
    this.finishReason = part.finishReason ?? this.finishReason;
    this.weightVersion = part.weightVersion ?? this.weightVersion;
    if (part.weightVersions.length > 0) this.weightVersions = part.weightVersions;
    this.routedExperts = part.routedExperts ?? this.routedExperts;
    this.routingMatrices = part.routingMatrices ?? this.routingMatrices;
    if (part.promptTokenIds !== undefined) {
      this.promptTokenIds ??= this.#checked(part.promptTokenIds, 'prompt');
    }
    if (part.tokenIds !== undefined) {
      this.hasIds = true;
      this.ids.add(this.#checked(part.tokenIds, 'completion'));
    }
    if (part.logprobs !== undefined) {
      this.hasLogprobs = true;
      this.logprobs.add(part.logprobs.values);
      if (part.logprobs.tokenIds !== undefined) this.logprobIds.add(part.logprobs.tokenIds);
      else if (part.logprobs.values.length > 0) this.#hasLogprobsWithoutIds = true;
    }
  }

  /** Takes all ids of the choice at once. */
  setFinalIds(ids: TokenIds): void {
    this.#finalIds = this.#checked(ids, 'completion');
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
 * Decides for every choice which ids it has, and whether they and the logprobs came as what was new with each event or as
 * all there was so far. The engine's own count decides; without one, whether the arrays grew with every event.
 * @param counted `usage.completion_tokens`, of all choices together
 */
export function resolveTokens(
  choices: readonly ChoiceDraft[],
  counted: number | undefined,
): readonly ResolvedTokens[] {
  const sources = choices.map((choice) => ({ choice, ids: idsOf(choice) }));
  const sequences = sources.flatMap(({ choice, ids }) =>
    ids instanceof Int32Array ? [] : [ids ?? choice.logprobs],
  );
  const fixed = sources.reduce((sum, { ids }) => sum + (ids instanceof Int32Array ? ids.length : 0), 0);
  const asDeltas = sequences.reduce((sum, sequence) => sum + sequence.deltaLength, fixed);
  const asWholes = sequences.reduce(
    (sum, sequence) => sum + (sequence.cumulativeLength ?? sequence.deltaLength),
    fixed,
  );
  const isSaid = counted !== undefined && asDeltas !== asWholes;
  const reading = isSaid && counted === asWholes ? true : isSaid && counted === asDeltas ? false : undefined;

  return sources.map(({ choice, ids }) => {
    const isCumulative =
      reading ?? (ids instanceof Int32Array ? false : (ids ?? choice.logprobs).looksCumulative);
    const tokenIds = ids instanceof Int32Array ? ids : ids?.toArray(isCumulative);
    if (!choice.hasLogprobs) return { tokenIds, logprobs: undefined };
    const logprobs = choice.logprobs.toArray(
      tokenIds === undefined ? isCumulative : fits(choice.logprobs, tokenIds.length, isCumulative),
    );
    return { tokenIds, logprobs };
  });
}

function idsOf(choice: ChoiceDraft): Int32Array | StreamedSequence<Int32Array> | undefined {
  if (choice.finalIds !== undefined) return choice.finalIds;
  if (choice.hasIds) return choice.ids;
  return choice.hasLogprobIds ? choice.logprobIds : undefined;
}

// Logprobs and ids of one stream need not be sent the same way: whichever reading has one logprob for each id.
function fits(sequence: StreamedSequence<NumberArray>, length: number, otherwise: boolean): boolean {
  if (sequence.cumulativeLength === length) return true;
  return sequence.deltaLength === length ? false : otherwise;
}
