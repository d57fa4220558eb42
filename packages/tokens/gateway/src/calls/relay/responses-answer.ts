import { isJsonObject } from '@art/ground';
import {
  countsIn,
  objectsIn,
  nativeTextIn,
  type NativeAnswer,
  type NativePiece,
  type NativeEnd,
  type NativeReader,
} from './native-answer.ts';

/** Reads a response object of OpenAI's; undefined where it holds no answer: it failed, or is not there yet. */
export function readResponse(response: Readonly<Record<string, unknown>>): NativeAnswer | undefined {
  const { status, error, usage, incomplete_details: details } = response;
  const isAnswered = status === undefined || status === 'completed' || status === 'incomplete';
  if (!isAnswered || isJsonObject(error)) return undefined;
  const pieces = objectsIn(response['output']).flatMap(readOutputItem);
  const isCut = status === 'incomplete';
  return {
    model: nativeTextIn(response, 'model') || undefined,
    pieces,
    finishReason: isCut ? cutReason(details) : endReason(pieces),
    usage: { prompt: countsIn(usage, ['input_tokens']), completion: countsIn(usage, ['output_tokens']) },
  };
}

/** Reads the model's words in an output item. Items that only a hosted tool has made give nothing. */
function readOutputItem(item: Readonly<Record<string, unknown>>): NativePiece[] {
  switch (item['type']) {
    case 'message':
      return objectsIn(item['content']).map((part) => ({
        kind: 'text',
        text: part['type'] === 'refusal' ? nativeTextIn(part, 'refusal') : nativeTextIn(part, 'text'),
      }));
    case 'reasoning': {
      const content = objectsIn(item['content']);
      const parts = content.length > 0 ? content : objectsIn(item['summary']);
      const text = parts.map((part) => nativeTextIn(part, 'text')).join(content.length > 0 ? '' : '\n');
      return text === '' ? [] : [{ kind: 'reasoning', text }];
    }
    case 'function_call': {
      const [id, name] = [nativeTextIn(item, 'call_id'), nativeTextIn(item, 'name')];
      return [{ kind: 'call', id, name, arguments: nativeTextIn(item, 'arguments') }];
    }
    default:
      return [];
  }
}

function endReason(pieces: readonly NativePiece[]): string {
  return pieces.some((piece) => piece.kind === 'call') ? 'tool_calls' : 'stop';
}

function cutReason(details: unknown): string {
  return isJsonObject(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length';
}

/**
 * The events of a streamed response. Its last event repeats all of the answer; what came before is kept for a stream that
 * breaks off, in which texts count as far as they came and other items once they are whole.
 */
export class ResponsesReader implements NativeReader {
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
        this.#say(index, nativeTextIn(event, 'delta'));
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
    } else part['text'] = nativeTextIn(part, 'text') + delta;
  }
}
