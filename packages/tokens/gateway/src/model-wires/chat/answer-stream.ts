import type { ChatSpeech, ChatToolCall } from './chat-reply.ts';
import { ToolCallPlaces } from './tool-call-places.ts';

/** The beginning of a part of an answer. */
export type AnswerBeginning =
  | { kind: 'reasoning' | 'text' | 'refusal' }
  | { kind: 'call'; callId: string; name: string };

/** An event of an answer as it is produced: parts follow one another, one open at a time. */
export type AnswerEvent =
  | ({ event: 'open' } & AnswerBeginning)
  | { event: 'delta'; text: string; logprobs?: string | undefined }
  | { event: 'close' };

interface Call {
  state: 'waiting' | 'open' | 'closed';
  id: string;
  name: string;
  arguments: string;
}

type Words = Exclude<AnswerBeginning['kind'], 'call'>;

/**
 * Puts the deltas of a chat stream into parts that follow one another, which is what the other wires' readers expect.
 * Engines that produce several tool calls may send their fragments in turns; those of the later calls wait until the
 * arguments of the earlier one are complete JSON, or the answer ends. In the usual order nothing waits.
 */
export class AnswerStream {
  readonly #newId: () => string;
  readonly #calls = new Map<number, Call>();
  readonly #places = new ToolCallPlaces();
  #openWords: Words | undefined;
  #openCall: Call | undefined;
  /** Words that came while the arguments of a call were incomplete. */
  #held: { kind: Words; text: string }[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  push(speech: ChatSpeech): AnswerEvent[] {
    const events: AnswerEvent[] = [];
    if (speech.reasoning !== '') this.#say(events, 'reasoning', speech.reasoning);
    if (speech.text !== '') this.#say(events, 'text', speech.text, speech.logprobs);
    if (speech.refusal !== '') this.#say(events, 'refusal', speech.refusal);
    for (const fragment of speech.toolCalls) this.#call(events, fragment);
    return events;
  }

  /** The answer has ended: what waited comes out, and what is open is closed. */
  finish(): AnswerEvent[] {
    const events: AnswerEvent[] = [];
    this.#closeCall(events);
    for (const call of this.#calls.values()) {
      if (call.state !== 'waiting') continue;
      this.#openNext(events, call);
      this.#closeCall(events);
    }
    this.#closeWords(events);
    return events;
  }

  #say(events: AnswerEvent[], kind: Words, text: string, logprobs?: string): void {
    if (this.#openCall !== undefined) {
      if (!isWhole(this.#openCall.arguments)) {
        this.#held.push({ kind, text });
        return;
      }
      this.#closeCall(events);
    }
    if (this.#openWords !== kind) {
      this.#closeWords(events);
      events.push({ event: 'open', kind });
      this.#openWords = kind;
    }
    events.push({ event: 'delta', text, logprobs });
  }

  #call(events: AnswerEvent[], fragment: ChatToolCall): void {
    const call = this.#callOf(fragment);
    if (fragment.id !== undefined && call.state === 'waiting') call.id = fragment.id;
    if (fragment.name !== undefined && call.state === 'waiting') call.name = fragment.name;
    if (call.state !== 'closed') call.arguments += fragment.arguments;
    if (call.state === 'open' && fragment.arguments !== '') {
      events.push({ event: 'delta', text: fragment.arguments });
    }
    if (call.state !== 'waiting' || call.name === '') return;
    if (this.#openCall !== undefined && !isWhole(this.#openCall.arguments)) return;
    this.#closeCall(events);
    this.#openNext(events, call);
  }

  #callOf({ index, id, name }: ChatToolCall): Call {
    const place = this.#places.placeOf({ index, id, hasName: name !== undefined });
    let call = this.#calls.get(place);
    if (call === undefined) {
      call = { state: 'waiting', id: '', name: '', arguments: '' };
      this.#calls.set(place, call);
    }
    return call;
  }

  #openNext(events: AnswerEvent[], call: Call): void {
    this.#closeWords(events);
    if (call.id === '') call.id = `call_${this.#newId()}`;
    call.state = 'open';
    this.#openCall = call;
    events.push({ event: 'open', kind: 'call', callId: call.id, name: call.name });
    if (call.arguments !== '') events.push({ event: 'delta', text: call.arguments });
  }

  #closeCall(events: AnswerEvent[]): void {
    if (this.#openCall === undefined) return;
    this.#openCall.state = 'closed';
    this.#openCall = undefined;
    events.push({ event: 'close' });
    // Before anything that was said later.
    for (const { kind, text } of this.#held.splice(0)) this.#say(events, kind, text);
  }

  #closeWords(events: AnswerEvent[]): void {
    if (this.#openWords === undefined) return;
    this.#openWords = undefined;
    events.push({ event: 'close' });
  }
}

/** A whole answer in the events in which it would have been streamed. */
export function answerEvents(speech: ChatSpeech, newId: () => string): AnswerEvent[] {
  const stream = new AnswerStream(newId);
  // Calls that come whole have no number: each is one of its own.
  const toolCalls = speech.toolCalls.map((call, index) => ({ ...call, index }));
  return [...stream.push({ ...speech, toolCalls }), ...stream.finish()];
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
