import { begunLength, firstOf } from './marks.ts';
import { parsedTurn, type ParsedToolCall, type ParsedTurn } from './parsed-turn.ts';
import type { ToolFormat } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** How a family of models marks its reasoning. */
export interface ReasoningFormat {
  open: string;
  close: string;
  /** The answer starts inside the reasoning without saying so: the template has opened it. */
  startsInside: boolean;
  /** Marks of calls that end reasoning which is never closed. */
  impliedEnds?: readonly string[] | undefined;
}

/** What has become certain of an answer. */
export interface TurnDelta {
  content: string;
  reasoning: string;
}

export interface TurnStreamOptions {
  reasoning: ReasoningFormat | undefined;
  tools: ToolFormat | undefined;
  schemas: ToolSchemas;
  promptEnd: string;
}

type Phase =
  /** Not yet told whether the answer begins with reasoning. */
  | 'opening'
  | 'reasoning'
  | 'content'
  /** A call may have begun: whether it is one shows at the end. */
  | 'held';

/**
 * Takes an answer apart while it is written. Text is given out as soon as it cannot be the beginning of a mark any more;
 * from the first mark of a call on, everything waits for the end.
 */
export class TurnStream {
  readonly #options: TurnStreamOptions;
  #phase: Phase;
  /** What has come and is not given out. */
  #pending = '';
  #content = '';
  #reasoning = '';
  #isAfterReasoning = false;
  /** Whether the model may open the reasoning that the template has opened once more. */
  #mayOpen = false;

  constructor(options: TurnStreamOptions) {
    const { reasoning, promptEnd } = options;
    this.#options = options;
    if (reasoning === undefined) this.#phase = 'content';
    else {
      const isInside = reasoning.startsInside || promptEnd.trimEnd().endsWith(reasoning.open);
      this.#phase = isInside ? 'reasoning' : 'opening';
      this.#mayOpen = isInside;
    }
  }

  push(text: string): TurnDelta {
    this.#pending += text;
    const delta: TurnDelta = { content: '', reasoning: '' };
    if (this.#phase === 'opening') this.#open();
    if (this.#phase === 'reasoning') delta.reasoning = this.#reason();
    if (this.#phase === 'content') delta.content = this.#say();
    this.#content += delta.content;
    this.#reasoning += delta.reasoning;
    return delta;
  }

  /** The rest, and the answer as a whole as it was given out. */
  finish(): TurnDelta & { parsed: ParsedTurn } {
    const delta: TurnDelta = { content: '', reasoning: '' };
    let calls: readonly ParsedToolCall[] = [];
    let illFormed = false;
    if (this.#phase === 'reasoning') this.#endImplied(delta);
    const rest = this.#pending;
    this.#pending = '';
    if (this.#phase === 'reasoning') delta.reasoning = rest.replace(/[\r\n]+$/, '');
    else if (this.#phase !== 'held') delta.content += rest;
    else {
      const parse = this.#options.tools?.parse(rest.trimStart(), this.#options.schemas);
      illFormed = parse === undefined;
      calls = parse?.calls ?? [];
      const said = parse === undefined || calls.length === 0 ? rest : parse.content;
      const isContinued = calls.length > 0 && said !== '' && this.#content + delta.content !== '';
      delta.content += isContinued ? `\n${said}` : said;
    }
    this.#content += delta.content;
    this.#reasoning += delta.reasoning;
    const said = { content: this.#content, reasoning: this.#reasoning };
    return { ...delta, parsed: parsedTurn(said, calls, illFormed) };
  }

  // It was never closed: the call in it was one.
  #endImplied(delta: TurnDelta): void {
    const { reasoning } = this.#options;
    const at = firstOf(reasoning?.impliedEnds ?? [], this.#pending);
    if (at === undefined) return;
    delta.reasoning = this.#pending.slice(0, at).replace(/[\r\n]+$/, '');
    this.#pending = this.#pending.slice(at);
    this.#phase = 'content';
    delta.content = this.#say();
  }

  #open(): void {
    const open = this.#options.reasoning?.open ?? '';
    const start = this.#pending.trimStart();
    if (start.startsWith(open)) {
      this.#pending = start.slice(open.length);
      this.#phase = 'reasoning';
    } else if (!open.startsWith(start)) this.#phase = 'content';
  }

  #reason(): string {
    const { open = '', close = '', impliedEnds = [] } = this.#options.reasoning ?? {};
    if (this.#mayOpen) {
      const start = this.#pending.trimStart();
      if (open.startsWith(start) && start !== open) return '';
      if (start.startsWith(open)) this.#pending = start.slice(open.length);
      this.#mayOpen = false;
    }
    if (this.#reasoning === '') this.#pending = this.#pending.replace(/^[\r\n]+/, '');
    const end = this.#pending.indexOf(close);
    if (end >= 0) {
      const text = this.#pending.slice(0, end).replace(/[\r\n]+$/, '');
      this.#pending = this.#pending.slice(end + close.length);
      this.#phase = 'content';
      this.#isAfterReasoning = true;
      return text;
    }
    const implied = firstOf(impliedEnds, this.#pending);
    if (implied === undefined) return this.#release(/[\r\n]+$/, [close, ...impliedEnds]);
    // A call, or only talk of one: that shows at the end.
    const text = this.#pending.slice(0, implied).replace(/[\r\n]+$/, '');
    this.#pending = this.#pending.slice(text.length);
    return text;
  }

  #say(): string {
    if (this.#isAfterReasoning && this.#content === '') this.#pending = this.#pending.replace(/^[\r\n]+/, '');
    const { marks = [], openingMarks = [], pattern } = this.#options.tools ?? {};
    if (this.#content === '') {
      const start = this.#pending.trimStart();
      if (start === '' && openingMarks.length > 0) return '';
      if (openingMarks.some((mark) => start.startsWith(mark))) {
        this.#phase = 'held';
        return '';
      }
      if (openingMarks.some((mark) => mark.startsWith(start) && start !== '')) return '';
    }
    const at = Math.min(
      firstOf(marks, this.#pending) ?? Infinity,
      pattern?.whole.exec(this.#pending)?.index ?? Infinity,
    );
    if (at < Infinity) {
      // Blanks before a call belong to the format. They stay with it, for a call that turns out to be none.
      const text = this.#pending.slice(0, at).trimEnd();
      this.#pending = this.#pending.slice(text.length);
      this.#phase = 'held';
      return text;
    }
    return this.#release(marks.length === 0 ? undefined : /\s+$/, marks, pattern?.begun);
  }

  // Holds back blanks at the end and what may be the beginning of a mark.
  #release(blanks: RegExp | undefined, marks: readonly string[], begun?: RegExp): string {
    const pending = this.#pending;
    const begunAt = begun?.exec(pending)?.index;
    const free = pending.slice(
      0,
      Math.min(begunAt ?? Infinity, pending.length - begunLength(pending, marks)),
    );
    const text = blanks === undefined ? free : free.replace(blanks, '');
    this.#pending = pending.slice(text.length);
    return text;
  }
}
