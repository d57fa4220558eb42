import { AnswerStream, type AnswerEvent } from './answer-stream.ts';
import { readChatReply, type ChatReply } from './chat-reply.ts';
import type { StreamFailure, WireStream } from './wire-translation.ts';

/** Facts that the chunks of an answer have reported beside its words. */
export type AnswerFacts = Pick<ChatReply, 'model' | 'usage' | 'finishReason' | 'stopSequence'>;

/** Writes an answer in the events of an API as it is produced. Everything is SSE text. */
export interface WireEvents {
  begin(facts: AnswerFacts): string;
  write(events: readonly AnswerEvent[]): string;
  /** @param events the last ones */
  end(events: readonly AnswerEvent[], facts: AnswerFacts & { finishReason: string }): string;
  /** Also where nothing has begun. */
  fail(failure: StreamFailure, facts: AnswerFacts): string;
}

/** A chat stream as the events of another wire: when it begins, and when and how it ends. */
export class TranslatedStream implements WireStream {
  readonly #events: WireEvents;
  readonly #answer: AnswerStream;
  #phase: 'new' | 'open' | 'ended' = 'new';
  #facts: AnswerFacts = {
    model: undefined,
    usage: undefined,
    finishReason: undefined,
    stopSequence: undefined,
  };

  /** @param newId makes the id of a call that came without one */
  constructor(events: WireEvents, newId: () => string) {
    this.#events = events;
    this.#answer = new AnswerStream(newId);
  }

  push(chunkJson: string): string {
    if (this.#phase === 'ended') return '';
    const { error, speech, ...reported } = readChatReply(chunkJson, 'delta');
    if (error !== undefined) return this.fail({ message: error.message, status: error.status ?? 502 });
    this.#facts = {
      model: this.#facts.model ?? reported.model,
      usage: reported.usage ?? this.#facts.usage,
      finishReason: reported.finishReason ?? this.#facts.finishReason,
      stopSequence: reported.stopSequence ?? this.#facts.stopSequence,
    };
    const begun = this.#begin();
    return speech === undefined ? begun : begun + this.#events.write(this.#answer.push(speech));
  }

  finish(): string {
    if (this.#phase === 'ended') return '';
    const { finishReason } = this.#facts;
    if (finishReason === undefined) {
      return this.fail({ message: "The engine's stream ended before its answer did.", status: 502 });
    }
    const begun = this.#begin();
    this.#phase = 'ended';
    return begun + this.#events.end(this.#answer.finish(), { ...this.#facts, finishReason });
  }

  fail(failure: StreamFailure): string {
    if (this.#phase === 'ended') return '';
    this.#phase = 'ended';
    return this.#events.fail(failure, this.#facts);
  }

  #begin(): string {
    if (this.#phase !== 'new') return '';
    this.#phase = 'open';
    return this.#events.begin(this.#facts);
  }
}

/** One server-sent event. `json` has no line breaks: it is JSON written on one line. */
export function sseEvent(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}
