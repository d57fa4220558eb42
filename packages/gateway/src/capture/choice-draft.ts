import type { TokenIds } from '@art/json-bytes';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import { captureProblem } from './capture-problem.ts';
import { MessageBuilder } from './message-builder.ts';
import type { ChoicePart } from './reply-part.ts';
import { StreamedSequence } from './streamed-sequence.ts';

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
