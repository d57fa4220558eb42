import { isJsonObject, stringifyJson } from '@art/protocol';
import { countsIn, objectsIn, textIn } from '../prepare/json-members.ts';
import type { NativeAnswer, NativePiece } from './native-answer.ts';

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
export function readMessage(message: Readonly<Record<string, unknown>>): NativeAnswer | undefined {
  if (message['type'] === 'error' || isJsonObject(message['error'])) return undefined;
  const { usage } = message;
  const reason = textIn(message, 'stop_reason');
  return {
    model: textIn(message, 'model') || undefined,
    pieces: objectsIn(message['content']).flatMap(readBlock),
    finishReason: finishReasons[reason] ?? (reason || undefined),
    usage: { prompt: countsIn(usage, promptCounts), completion: countsIn(usage, ['output_tokens']) },
  };
}

/** What a model said in a block; nothing of blocks that only a server tool has made. */
function readBlock(block: Readonly<Record<string, unknown>>): NativePiece[] {
  switch (block['type']) {
    case 'text':
      return [{ kind: 'text', text: textIn(block, 'text') }];
    case 'thinking':
      return [{ kind: 'reasoning', text: textIn(block, 'thinking') }];
    case 'tool_use': {
      const { input } = block;
      return [
        {
          kind: 'call',
          id: textIn(block, 'id'),
          name: textIn(block, 'name'),
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
    // `NaN` and the like, which some servers write: a trace must not fail for it.
    return '';
  }
}
