import type { Turn } from '../tree/turn.ts';

/** Which response tokens of a row a turn has sampled and trains; `end` is exclusive. */
export interface RowSpan {
  turn: Turn;
  start: number;
  end: number;
}

/** A row in the making: tokens, and for all that follows the first prompt whether they train. */
export class RowBuilder {
  readonly tokens: number[] = [];
  readonly promptLength: number;
  readonly mask: number[] = [];
  readonly logprobs: number[] = [];
  spans: RowSpan[] = [];
  readonly turns: Turn[] = [];
  /** The turns that its metadata describes. @default its own turns */
  conversation: readonly Turn[] | undefined;
  #lastStart: number;

  constructor(prompt: Int32Array) {
    append(this.tokens, prompt);
    this.promptLength = prompt.length;
    this.#lastStart = prompt.length;
  }

  /** Where the last answer begins. */
  get lastStart(): number {
    return this.#lastStart;
  }

  /** True if anything in it trains. */
  get trains(): boolean {
    return this.spans.length > 0;
  }

  /** Adds tokens that the model was given. */
  addContext(tokens: Int32Array): void {
    append(this.tokens, tokens);
    this.#silence(tokens.length);
  }

  /** Adds a turn's answer. One that does not train is context for what follows. */
  addAnswer(turn: Turn, trains: boolean): void {
    const { completionTokenIds, logprobs } = turn.capture;
    this.#lastStart = this.tokens.length;
    this.turns.push(turn);
    if (!trains || logprobs === undefined || completionTokenIds.length === 0) {
      this.addContext(completionTokenIds);
      return;
    }
    const start = this.mask.length;
    append(this.tokens, completionTokenIds);
    for (const logprob of logprobs) {
      this.mask.push(1);
      // A trainer may compare with 0; -0 is a zero too, but does not print as one everywhere.
      this.logprobs.push(logprob === 0 ? 0 : logprob);
    }
    this.spans.push({ turn, start, end: this.mask.length });
  }

  /** Takes the last answer back and continues with the prompt that has it in other tokens. */
  realign(prompt: Int32Array): void {
    const kept = this.#lastStart - this.promptLength;
    this.tokens.length = this.#lastStart;
    this.mask.length = kept;
    this.logprobs.length = kept;
    this.spans = this.spans.filter((span) => span.end <= kept);
    this.addContext(prompt.subarray(this.#lastStart));
  }

  #silence(count: number): void {
    for (let index = 0; index < count; index += 1) {
      this.mask.push(0);
      this.logprobs.push(0);
    }
  }
}

// Spreading into push would overflow the stack with long prompts.
function append(target: number[], tokens: Int32Array): void {
  for (const token of tokens) target.push(token);
}
