import { canonicalMessage } from './canonical-message.ts';

/** A message as a number that is equal for what says the same. */
export interface MessageKey {
  id: number;
  isAssistant: boolean;
}

/** An agent may send an answer back without its reasoning, or with the reasoning in the field of another API. */
export interface ReasoningKey extends MessageKey {
  /** The number of the same message without its reasoning; `id` where it has none. */
  withoutReasoning: number;
}

/** Numbers canonical messages, so that comparing two lists is comparing numbers. One for each session. */
export class MessageKeys {
  // Every call repeats its whole conversation: a message's text is read once.
  readonly #byText = {
    withReasoning: new Map<string, MessageKey>(),
    withoutReasoning: new Map<string, MessageKey>(),
  };
  readonly #byCanon = new Map<string, number>();

  /** Keys of a message, JSON text, with and without its reasoning. */
  withReasoning(message: string): ReasoningKey {
    const key = this.#keyOf(message, true);
    return { ...key, withoutReasoning: key.isAssistant ? this.#keyOf(message, false).id : key.id };
  }

  /** The key of a message without its reasoning. */
  withoutReasoning(message: string): MessageKey {
    return this.#keyOf(message, false);
  }

  #keyOf(json: string, withReasoning: boolean): MessageKey {
    const texts = withReasoning ? this.#byText.withReasoning : this.#byText.withoutReasoning;
    const known = texts.get(json);
    if (known !== undefined) return known;
    const { role, text } = canonicalMessage(json, {
      compare: withReasoning ? 'content+reasoning' : 'content',
    });
    const id = this.#byCanon.get(text) ?? this.#byCanon.size;
    this.#byCanon.set(text, id);
    const key: MessageKey = { id, isAssistant: role === 'assistant' };
    texts.set(json, key);
    return key;
  }
}
