import type { Trace } from '../../trace/trace.ts';
import { canonicalMessage } from './canonical-message.ts';

/** A message, or a whole list of them, as a number that is equal for what says the same. */
export interface MessageKey {
  id: number;
  isAssistant: boolean;
}

/** Numbers canonical messages, so that comparing two lists is comparing numbers. One for each session. */
export class MessageKeys {
  // Every call repeats its whole conversation: a message's text is read once.
  readonly #byText = {
    withReasoning: new Map<string, MessageKey>(),
    withoutReasoning: new Map<string, MessageKey>(),
  };
  readonly #byCanon = new Map<string, number>();

  /** Keys of a request's messages. */
  request(trace: Trace, withReasoning: boolean): MessageKey[] {
    return trace.messages.map((message) => this.#keyOf(message, withReasoning));
  }

  /** Key of an answer, as its echo would have it. */
  response(trace: Trace, withReasoning: boolean): MessageKey {
    return this.#keyOf(trace.responseMessage, withReasoning);
  }

  #keyOf(json: string, withReasoning: boolean): MessageKey {
    const texts = withReasoning ? this.#byText.withReasoning : this.#byText.withoutReasoning;
    const known = texts.get(json);
    if (known !== undefined) return known;
    const { role, text } = canonicalMessage(json, withReasoning);
    const id = this.#byCanon.get(text) ?? this.#byCanon.size;
    this.#byCanon.set(text, id);
    const key: MessageKey = { id, isAssistant: role === 'assistant' };
    texts.set(json, key);
    return key;
  }
}
