import { isJsonObject } from '@art/protocol';
import { objectsIn, textIn } from '../prepare/json-members.ts';
import type { NativeEnd, NativeEvents } from './native-events.ts';
import { readResponse } from './read-response.ts';

/**
 * The events of a streamed response. Its last event repeats all of the answer; what came before is kept for a stream that
 * breaks off, in which texts count as far as they came and other items once they are whole.
 */
export class ResponseEvents implements NativeEvents {
  readonly #items = new Map<unknown, Record<string, unknown>>();
  #response: Readonly<Record<string, unknown>> = {};
  #ended = false;

  take(event: Readonly<Record<string, unknown>>): boolean {
    const { type, response, item, output_index: index } = event;
    switch (type) {
      case 'response.created':
        if (isJsonObject(response)) this.#response = response;
        return false;
      case 'response.output_text.delta':
        this.#say(index, textIn(event, 'delta'));
        return false;
      case 'response.output_item.done':
        if (isJsonObject(item)) this.#items.set(index, item);
        return false;
      case 'response.completed':
      case 'response.incomplete':
        if (isJsonObject(response)) this.#response = response;
        this.#ended = true;
        return true;
      case 'response.failed':
      case 'error':
        return true;
      default:
        return false;
    }
  }

  end(): NativeEnd {
    if (!this.#ended) {
      const { model } = this.#response;
      const answer = readResponse({ model, output: [...this.#items.values()] });
      return { answer: answer && { ...answer, finishReason: undefined }, ended: false };
    }
    // Some servers leave out of the last event what they have sent already.
    const isShort = objectsIn(this.#response['output']).length === 0;
    const output = isShort ? [...this.#items.values()] : this.#response['output'];
    const answer = readResponse({ ...this.#response, output });
    return { answer, ended: answer !== undefined };
  }

  #say(index: unknown, delta: string): void {
    const [part] = objectsIn(this.#items.get(index)?.['content']);
    if (part === undefined) {
      this.#items.set(index, { type: 'message', content: [{ type: 'output_text', text: delta }] });
    } else part['text'] = textIn(part, 'text') + delta;
  }
}
