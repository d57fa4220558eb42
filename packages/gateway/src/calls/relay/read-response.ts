import { isJsonObject } from '@art/protocol';
import { countsIn, objectsIn, textIn } from '../prepare/json-members.ts';
import type { NativeAnswer, NativePiece } from './native-answer.ts';

/** Reads a response object of OpenAI's; undefined where it holds no answer: it failed, or is not there yet. */
export function readResponse(response: Readonly<Record<string, unknown>>): NativeAnswer | undefined {
  const { status, error, usage, incomplete_details: details } = response;
  const isAnswered = status === undefined || status === 'completed' || status === 'incomplete';
  if (!isAnswered || isJsonObject(error)) return undefined;
  const pieces = objectsIn(response['output']).flatMap(readOutputItem);
  const isCut = status === 'incomplete';
  return {
    model: textIn(response, 'model') || undefined,
    pieces,
    finishReason: isCut ? cutReason(details) : endReason(pieces),
    usage: { prompt: countsIn(usage, ['input_tokens']), completion: countsIn(usage, ['output_tokens']) },
  };
}

/** What a model said in an output item; nothing of items that only a hosted tool has made. */
function readOutputItem(item: Readonly<Record<string, unknown>>): NativePiece[] {
  switch (item['type']) {
    case 'message':
      return objectsIn(item['content']).map((part) => ({
        kind: 'text',
        text: part['type'] === 'refusal' ? textIn(part, 'refusal') : textIn(part, 'text'),
      }));
    case 'reasoning': {
      const content = objectsIn(item['content']);
      const parts = content.length > 0 ? content : objectsIn(item['summary']);
      const text = parts.map((part) => textIn(part, 'text')).join(content.length > 0 ? '' : '\n');
      return text === '' ? [] : [{ kind: 'reasoning', text }];
    }
    case 'function_call': {
      const [id, name] = [textIn(item, 'call_id'), textIn(item, 'name')];
      return [{ kind: 'call', id, name, arguments: textIn(item, 'arguments') }];
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
