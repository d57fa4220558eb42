import type { ResponseContext } from './response-object.ts';
import { sealReasoning } from './sealed-reasoning.ts';
import { writeObject } from '@art/json-bytes';

/** An output item of a response, as far as it has been produced. */
export type OutputItem =
  | { type: 'reasoning'; text: string }
  | { type: 'message'; part: 'text' | 'refusal'; text: string; logprobs: string | undefined }
  | { type: 'function_call'; callId: string; name: string; text: string };

export type OutputItemStatus = 'in_progress' | 'completed' | 'incomplete';

const prefixes = { reasoning: 'rs', message: 'msg', function_call: 'fc' } as const;

/**
 * The id of the item at a place of an answer's output. It names the answer that the item is of, so that echoed items find
 * together again.
 */
export function outputItemId(context: ResponseContext, item: OutputItem, outputIndex: number): string {
  return `${prefixes[item.type]}_${context.turn}_${outputIndex}`;
}

/** Which of our answers an item is of; undefined for an id that is not ours. */
export function turnOfItemId(id: string): string | undefined {
  return /^(?:rs|msg|fc)_([0-9A-Za-z]+)_\d+$/.exec(id)?.[1];
}

/** An output item as JSON text. One that is only beginning has no content yet. */
export function writeOutputItem(
  context: ResponseContext,
  item: OutputItem,
  outputIndex: number,
  status: OutputItemStatus,
): string {
  const id = JSON.stringify(outputItemId(context, item, outputIndex));
  const isOpen = status === 'in_progress';
  switch (item.type) {
    case 'reasoning':
      return writeObject([
        ['id', id],
        ['type', '"reasoning"'],
        ['summary', isOpen ? '[]' : `[${writeSummaryPart(item.text)}]`],
        [
          'encrypted_content',
          context.echo.sealsReasoning && !isOpen ? JSON.stringify(sealReasoning(item.text)) : undefined,
        ],
        ['status', JSON.stringify(status)],
      ]);
    case 'message':
      return writeObject([
        ['id', id],
        ['type', '"message"'],
        ['role', '"assistant"'],
        ['status', JSON.stringify(status)],
        ['content', isOpen ? '[]' : `[${writeMessagePart(item)}]`],
      ]);
    case 'function_call':
      return writeObject([
        ['id', id],
        ['type', '"function_call"'],
        ['call_id', JSON.stringify(item.callId)],
        ['name', JSON.stringify(item.name)],
        ['arguments', isOpen ? '""' : JSON.stringify(item.text)],
        ['status', JSON.stringify(status)],
      ]);
  }
}

/** The content part of a message. */
export function writeMessagePart(item: Extract<OutputItem, { type: 'message' }>): string {
  if (item.part === 'refusal') return JSON.stringify({ type: 'refusal', refusal: item.text });
  return writeObject([
    ['type', '"output_text"'],
    ['text', JSON.stringify(item.text)],
    ['annotations', '[]'],
    ['logprobs', item.logprobs ?? '[]'],
  ]);
}

/** Reasoning goes out as a summary: the part of the wire that every client reads. */
export function writeSummaryPart(text: string): string {
  return JSON.stringify({ type: 'summary_text', text });
}
