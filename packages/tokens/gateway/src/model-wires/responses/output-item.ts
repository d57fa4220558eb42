import { writeObject } from '../../json-bytes/write-json.ts';
import type { AnswerBeginning } from '../chat/answer-stream.ts';
import type { ResponseContext } from './response-object.ts';
import { sealReasoning } from './sealed-reasoning.ts';

/** An output item of a response, as far as it has been produced. */
export interface OutputItem {
  head: AnswerBeginning;
  text: string;
  logprobs: string | undefined;
}

export type OutputItemStatus = 'in_progress' | 'completed' | 'incomplete';

const prefixes = { reasoning: 'rs', text: 'msg', refusal: 'msg', call: 'fc' } as const;

/**
 * The id of the item at a place of an answer's output. It names the answer that the item is of, so that echoed items find
 * together again.
 */
export function outputItemId({ turn }: ResponseContext, { head }: OutputItem, outputIndex: number): string {
  return `${prefixes[head.kind]}_${turn}_${outputIndex}`;
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
  const { head, text } = item;
  const id = JSON.stringify(outputItemId(context, item, outputIndex));
  const isOpen = status === 'in_progress';
  const parts = (): string => (isOpen ? '[]' : `[${writeItemPart(item)}]`);
  switch (head.kind) {
    case 'reasoning':
      return writeObject([
        ['id', id],
        ['type', '"reasoning"'],
        ['summary', parts()],
        [
          'encrypted_content',
          context.echo.sealsReasoning && !isOpen ? JSON.stringify(sealReasoning(text)) : undefined,
        ],
        ['status', JSON.stringify(status)],
      ]);
    case 'text':
    case 'refusal':
      return writeObject([
        ['id', id],
        ['type', '"message"'],
        ['role', '"assistant"'],
        ['status', JSON.stringify(status)],
        ['content', parts()],
      ]);
    case 'call':
      return writeObject([
        ['id', id],
        ['type', '"function_call"'],
        ['call_id', JSON.stringify(head.callId)],
        ['name', JSON.stringify(head.name)],
        ['arguments', isOpen ? '""' : JSON.stringify(text)],
        ['status', JSON.stringify(status)],
      ]);
  }
}

/**
 * The content of an item that is no call. Reasoning goes out as a summary: the part of the wire that every client
 * reads.
 */
export function writeItemPart({ head, text, logprobs }: OutputItem): string {
  if (head.kind === 'reasoning') return JSON.stringify({ type: 'summary_text', text });
  if (head.kind === 'refusal') return JSON.stringify({ type: 'refusal', refusal: text });
  return writeObject([
    ['type', '"output_text"'],
    ['text', JSON.stringify(text)],
    ['annotations', '[]'],
    ['logprobs', logprobs ?? '[]'],
  ]);
}
