import { isJsonObject, stringifyJson } from '@art/ground';
import {
  countsIn,
  objectsIn,
  nativeTextIn,
  type NativeAnswer,
  type NativePiece,
  type NativeEnd,
  type NativeReader,
} from './native-answer.ts';

// Source: Anthropic API reference, Messages, `stop_reason`.
const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};
// What was read from a cache is counted apart on this wire, and is part of the prompt on all others.
const promptCounts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

/** Reads a message object of Anthropic's; undefined where it is an error. */
export function readMessagesAnswer(message: Readonly<Record<string, unknown>>): NativeAnswer | undefined {
  if (message['type'] === 'error' || isJsonObject(message['error'])) return undefined;
  const { usage } = message;
  const reason = nativeTextIn(message, 'stop_reason');
  return {
    model: nativeTextIn(message, 'model') || undefined,
    pieces: objectsIn(message['content']).flatMap(readBlock),
    finishReason: finishReasons[reason] ?? (reason || undefined),
    usage: { prompt: countsIn(usage, promptCounts), completion: countsIn(usage, ['output_tokens']) },
  };
}

/** Reads the model's words in a block. Blocks that only a server tool has made give nothing. */
function readBlock(block: Readonly<Record<string, unknown>>): NativePiece[] {
  switch (block['type']) {
    case 'text':
      return [{ kind: 'text', text: nativeTextIn(block, 'text') }];
    case 'thinking':
      return [{ kind: 'reasoning', text: nativeTextIn(block, 'thinking') }];
    case 'tool_use': {
      const { input } = block;
      return [
        {
          kind: 'call',
          id: nativeTextIn(block, 'id'),
          name: nativeTextIn(block, 'name'),
          arguments: argumentsText(input),
        },
      ];
    }
    default:
      return [];
  }
}

// A stream has the arguments as the text that the model wrote.
function argumentsText(input: unknown): string {
  if (typeof input === 'string') return input;
  try {
    return stringifyJson(input ?? {});
  } catch {
    // `NaN` and the like, which some servers write: a capture must not fail for it.
    return '';
  }
}

/** The events of a streamed message, put together. Source: Anthropic API reference, streaming messages. */
export class MessagesReader implements NativeReader {
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
    return {
      answer: readMessagesAnswer({ ...this.#message, content, usage: this.#usage }),
      ended: this.#ended,
    };
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
        block['text'] = nativeTextIn(block, 'text') + nativeTextIn(delta, 'text');
        break;
      case 'thinking_delta':
        block['thinking'] = nativeTextIn(block, 'thinking') + nativeTextIn(delta, 'thinking');
        break;
      case 'input_json_delta': {
        // The block begins with an empty object as its input, which the text of the arguments replaces.
        const text = nativeTextIn(block, 'input') + nativeTextIn(delta, 'partial_json');
        if (text !== '') block['input'] = text;
        break;
      }
      default:
    }
  }
}
