import { isJsonObject } from '@art/protocol';
import { textIn } from '../prepare/json-members.ts';
import type { NativeEnd, NativeEvents } from './native-events.ts';
import { readMessage } from './read-message.ts';

/** The events of a streamed message, put together. Source: Anthropic API reference, streaming messages. */
export class MessageEvents implements NativeEvents {
  readonly #blocks = new Map<unknown, Record<string, unknown>>();
  #message: Readonly<Record<string, unknown>> = {};
  #usage: Readonly<Record<string, unknown>> = {};
  #ended = false;

  take(event: Readonly<Record<string, unknown>>): boolean {
    const { type, message, index, content_block: block, delta, usage } = event;
    switch (type) {
      case 'message_start':
        if (!isJsonObject(message)) return false;
        this.#message = message;
        this.#count(message['usage']);
        return false;
      case 'content_block_start':
        if (isJsonObject(block)) this.#blocks.set(index, { ...block });
        return false;
      case 'content_block_delta':
        if (isJsonObject(delta)) this.#grow(this.#blocks.get(index), delta);
        return false;
      case 'message_delta':
        if (isJsonObject(delta)) this.#message = { ...this.#message, ...delta };
        this.#count(usage);
        return false;
      case 'message_stop':
        this.#ended = true;
        return true;
      case 'error':
        return true;
      default:
        return false;
    }
  }

  end(): NativeEnd {
    const content = [...this.#blocks.values()];
    return { answer: readMessage({ ...this.#message, content, usage: this.#usage }), ended: this.#ended };
  }

  // The counts at the end are totals, and leave out those that have not changed.
  #count(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    const known = Object.entries(usage).filter(([, count]) => count !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }

  #grow(block: Record<string, unknown> | undefined, delta: Readonly<Record<string, unknown>>): void {
    if (block === undefined) return;
    switch (delta['type']) {
      case 'text_delta':
        block['text'] = textIn(block, 'text') + textIn(delta, 'text');
        break;
      case 'thinking_delta':
        block['thinking'] = textIn(block, 'thinking') + textIn(delta, 'thinking');
        break;
      case 'input_json_delta': {
        // The block begins with an empty object as its input, which the text of the arguments replaces.
        const text = textIn(block, 'input') + textIn(delta, 'partial_json');
        if (text !== '') block['input'] = text;
        break;
      }
      default:
    }
  }
}
