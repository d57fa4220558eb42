import type { TokenIds } from '../json-bytes/read-numbers.ts';
import {
  captureProblem,
  checkChoice,
  checkReply,
  type CapturedChoice,
  type CapturedReply,
} from './captured-reply.ts';
import { ChoiceDraft, resolveTokens } from './choice-draft.ts';
import type { ReplyPart } from './read-reply.ts';
import type { PreparedCall } from './prepare-call.ts';

const noIds = new Int32Array(0);

/** An engine's answer while it is read: one part where it comes whole, one for each event of a stream. */
export class ReplyDraft {
  readonly #call: PreparedCall;
  readonly #choices = new Map<number, ChoiceDraft>();
  readonly #problems: string[] = [];
  #model: string | undefined;
  #promptTokenIds: readonly Int32Array[] | undefined;
  #usage: CapturedReply['usage'] = { prompt: undefined, completion: undefined };
  #weightVersion: string | undefined;
  #weightVersions: ReplyPart['weightVersions'] = [];
  #routedExperts: CapturedChoice['routedExperts'];
  #error: string | undefined;

  constructor(call: PreparedCall) {
    this.#call = call;
  }

  add(part: ReplyPart): void {
    this.#model ??= part.model;
    if (part.usage !== undefined) this.#usage = part.usage;
    this.#weightVersion = part.weightVersion ?? this.#weightVersion;
    if (part.weightVersions.length > 0) this.#weightVersions = part.weightVersions;
    if (part.promptTokenIds !== undefined) this.#addPrompts(part.promptTokenIds);
    this.#error ??= part.error;
    part.choices?.forEach((choice, position) => {
      this.#choice(choice.index ?? position).add(choice);
    });
    if (part.sglext?.inputIds !== undefined) this.#addPrompts([part.sglext.inputIds]);
    this.#routedExperts = part.sglext?.routedExperts ?? this.#routedExperts;
    part.sglext?.outputIds?.forEach((ids, index) => {
      this.#choice(index).setFinalIds(ids);
    });
  }

  /** Notes that a part of the reply could not be read. */
  addUnreadable(detail: string): void {
    this.#problems.push(captureProblem('unreadable', detail));
  }

  /** Notes what came in place of an answer. */
  addError(error: string): void {
    this.#error ??= error;
  }

  /** The finished answer. @param isEnd true if the engine said that the answer was complete */
  finish(isEnd: boolean): CapturedReply {
    const drafts = [...this.#choices.values()].toSorted((a, b) => a.index - b.index);
    const tokens = resolveTokens(drafts, this.#usage.completion);
    // A stream may break off between two choices, and before the ids that SGLang sends behind them.
    const areFinished =
      drafts.length >= this.#call.choiceCount &&
      drafts.every((choice) => choice.finishReason !== undefined) &&
      (!this.#call.expects.tokenIds || tokens.every(({ tokenIds }) => tokenIds !== undefined));
    const ended = this.#error === undefined && drafts.length > 0 && (isEnd || areFinished);
    const prompts = this.#promptTokenIds;
    const choicesEach = Math.max(1, this.#call.choiceCount / this.#call.promptCount);
    const choices = drafts.map((draft, position): CapturedChoice => {
      const { tokenIds, logprobs } = tokens[position] as (typeof tokens)[number];
      const prompt = Math.floor(draft.index / choicesEach);
      const promptTokenIds = draft.promptTokenIds ?? prompts?.[prompt] ?? prompts?.[0] ?? noIds;
      const choice = {
        index: draft.index,
        message: draft.message,
        hasContent: draft.hasContent,
        hasTokenIds: tokenIds !== undefined,
        promptTokenIds,
        tokenIds: tokenIds ?? noIds,
        logprobs,
        finishReason: draft.finishReason,
        matchedStop: draft.matchedStop,
        weightVersions: draft.weightVersions.length > 0 ? draft.weightVersions : this.#weightVersions,
        // SGLang's are those of the first choice.
        routedExperts: draft.routedExperts ?? (draft.index === 0 ? this.#routedExperts : undefined),
        routingMatrices: draft.routingMatrices,
      };
      const problems = [...this.#problems, ...draft.problems, ...checkChoice(choice, this.#call)];
      return { ...choice, problems };
    });
    const captured: CapturedReply = {
      model: this.#model,
      promptTokenIds: prompts?.[0] ?? choices[0]?.promptTokenIds ?? noIds,
      choices,
      weightVersion: this.#weightVersion ?? drafts[0]?.weightVersion,
      usage: this.#usage,
      ended,
      error: this.#error,
    };
    const problems = checkReply(captured, this.#call);
    if (problems.length === 0) return captured;
    const marked = choices.map((choice) => ({ ...choice, problems: [...choice.problems, ...problems] }));
    return { ...captured, choices: marked };
  }

  #choice(index: number): ChoiceDraft {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = new ChoiceDraft(index);
      this.#choices.set(index, choice);
    }
    return choice;
  }

  // The first event that has ids of the prompt has all of them; engines that repeat them say the same again.
  #addPrompts(lists: readonly TokenIds[]): void {
    if (this.#promptTokenIds !== undefined) return;
    this.#promptTokenIds = lists.map((list) => list.values);
    for (const { problem } of lists) {
      if (problem !== undefined) {
        this.#problems.push(captureProblem('token_id', `${problem}, in the ids of the prompt`));
      }
    }
  }
}
