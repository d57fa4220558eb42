import type { CaptureRecord } from '@art/trajectories';
import type { EngineRequest } from '../engine/engine-request.ts';
import type { SampledAnswer } from '../engine/sampled-answer.ts';
import { sampledBy } from './marked-answer.ts';

/** Losses; all of them have to stay 0. */
export interface ChaosLosses {
  /** Replies that an agent has in full and that no complete capture has. */
  lost: number;
  /** Captures of which a token or a logprob is not what the engine sent. */
  altered: number;
  /** Replies that are in more than one complete capture. */
  duplicated: number;
  /** Captures that are marked as neither complete nor partial. */
  unsound: number;
  /** Replies whose text is not what the engine said. */
  misread: number;
}

/** Ledger of what agents received and engines sent, to be held against the captures. */
export class ChaosLedger {
  readonly losses: ChaosLosses = { lost: 0, altered: 0, duplicated: 0, unsound: 0, misread: 0 };
  readonly examples: string[] = [];
  /** Captures, and tokens in them, that were compared; those of sessions that live longer count each time. */
  capturesCompared = 0;
  tokensCompared = 0;
  partialCaptures = 0;
  /** Prompts that begin with the tokens of the reply that they continue from. */
  continuedPrompts = 0;
  /** Prompts that do not: the gateway did not learn in time how the template continues. Another row, and no loss. */
  renderedPrompts = 0;
  readonly #seed: number;
  readonly #continuesTurns: boolean;
  readonly #prompts = new Map<number, readonly number[]>();
  /** Calls whose prompt is not made of messages: nothing can continue from them. */
  readonly #textCalls = new Set<number>();
  readonly #received = new Map<string, Set<string>>();

  constructor(seed: number, continuesTurns: boolean) {
    this.#seed = seed;
    this.#continuesTurns = continuesTurns;
  }

  /** The engine has answered. */
  sampled({ callNumber, promptTokenIds }: SampledAnswer, { messages }: EngineRequest): void {
    this.#prompts.set(callNumber, promptTokenIds);
    if (messages === undefined) this.#textCalls.add(callNumber);
    else if (this.#continuesTurns) this.#comparePrompt(promptTokenIds, messages);
  }

  /** An agent has a reply in full: the text of one of its choices. */
  received(
    sessionId: string,
    text: string,
    expected: (seed: number, text: string) => string | undefined,
  ): void {
    const sampled = sampledBy(this.#seed, text);
    if (sampled === undefined || expected(this.#seed, text) !== text) {
      this.#fault('misread', `${sessionId} read ${JSON.stringify(text)}`);
      return;
    }
    const marks = this.#received.get(sessionId) ?? new Set();
    this.#received.set(sessionId, marks.add(sampled.mark));
  }

  /** Sessions of which replies were received. */
  get sessionIds(): string[] {
    return [...this.#received.keys()];
  }

  /** Holds a session's captures against what was received and sent. */
  compare(sessionId: string, captures: readonly CaptureRecord[]): void {
    const complete = new Set<string>();
    for (const capture of captures) this.#compareCapture(sessionId, capture, complete);
    for (const mark of this.#received.get(sessionId) ?? []) {
      if (!complete.has(mark)) this.#fault('lost', `${sessionId} has no capture of ${mark}`);
    }
  }

  /** A session that is over and was compared. */
  forget(sessionId: string): void {
    for (const mark of this.#received.get(sessionId) ?? []) this.#prompts.delete(callOf(mark));
    this.#received.delete(sessionId);
  }

  /**
   * Compares a prompt with the answer that it continues. An agent that continues has received all of the answer, so that its capture is
   * stored, whatever was killed since.
   */
  #comparePrompt(prompt: readonly number[], messages: NonNullable<EngineRequest['messages']>): void {
    const echo = messages.findLast(({ role }) => role === 'assistant')?.content;
    const before = sampledBy(this.#seed, typeof echo === 'string' ? echo : '');
    // An answer that was cut has no token that ends it.
    if (before === undefined || before.choice.finishReason === 'length') return;
    const callNumber = callOf(before.mark);
    const earlier = this.#prompts.get(callNumber);
    if (earlier === undefined || this.#textCalls.has(callNumber)) return;
    const tokens = [...earlier, ...before.choice.tokens.map(({ id }) => id)];
    if (tokens.every((id, at) => id === prompt[at])) this.continuedPrompts += 1;
    else this.renderedPrompts += 1;
  }

  #compareCapture(sessionId: string, capture: CaptureRecord, complete: Set<string>): void {
    this.capturesCompared += 1;
    this.tokensCompared += capture.completion_token_ids.length;
    const message = JSON.stringify(capture.response_message);
    const { content } = capture.response_message;
    const sampled = sampledBy(this.#seed, typeof content === 'string' ? content : '');
    const { capture: status } = capture;
    if (status === 'partial') this.partialCaptures += 1;
    else if (status !== 'complete') {
      this.#fault('unsound', `${sessionId}: ${status} ${capture.capture_problems?.join('; ')} ${message}`);
      return;
    }
    // A stream that ended before its mark came is nothing that could be compared.
    if (sampled === undefined) {
      if (status === 'complete') this.#fault('altered', `${sessionId}: a capture without a mark, ${message}`);
      return;
    }
    const { choice, mark } = sampled;
    const prompt = this.#prompts.get(callOf(mark));
    const count = status === 'complete' ? choice.tokens.length : capture.completion_token_ids.length;
    const tokens = choice.tokens.slice(0, count);
    // SGLang's ids come with the end of a stream.
    const isWithoutIds = status === 'partial' && count === 0 && capture.prompt_token_ids.length === 0;
    const isSame =
      isEqual(
        capture.completion_token_ids,
        tokens.map((token) => token.id),
      ) &&
      isEqual(
        capture.logprobs ?? [],
        tokens.map((token) => token.logprob),
      ) &&
      (isWithoutIds || (prompt !== undefined && isEqual(capture.prompt_token_ids, prompt))) &&
      (status === 'partial' || capture.finish_reason === choice.finishReason);
    if (!isSame) this.#fault('altered', `${sessionId}: ${mark}, ${status}, ${JSON.stringify(capture)}`);
    if (status !== 'complete') return;
    if (complete.has(mark)) this.#fault('duplicated', `${sessionId}: ${mark}`);
    complete.add(mark);
  }

  #fault(kind: keyof ChaosLosses, example: string): void {
    this.losses[kind] += 1;
    if (this.examples.length < 20) this.examples.push(`${kind}: ${example.slice(0, 1_500)}`);
  }
}

function callOf(mark: string): number {
  return Number.parseInt(mark.slice(1), 10);
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => Object.is(value, b[at]));
}
