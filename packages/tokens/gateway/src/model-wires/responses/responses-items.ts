import type { ChatMessages } from '../chat/chat-messages.ts';
import { writeToolCall } from '../chat/chat-tools.ts';
import { RequestValue } from '../chat/request-value.ts';
import type { ResponseItems } from '../chat/wire-translation.ts';
import { joinStrings } from '../../json-bytes/write-json.ts';
import { openReasoning } from './sealed-reasoning.ts';
import { turnOfItemId } from './output-item.ts';

/**
 * Adds the items of a Responses request's `input` to the messages of a chat request.
 * @throws WireRequestError for what no chat template can hold: images, files, calls of hosted tools
 */
export function addResponsesInput(
  input: RequestValue,
  messages: ChatMessages,
  items: ResponseItems | undefined,
): void {
  if (input.kind === 'string') {
    messages.user(input.stringText());
    return;
  }
  for (const item of input.elements()) addItem(resolveReference(item, items), messages);
}

function addItem(item: RequestValue, messages: ChatMessages): void {
  const type = item.member('type')?.string() ?? 'message';
  switch (type) {
    case 'message':
      addMessage(item, messages);
      return;
    case 'function_call':
      messages.assistant({
        kind: 'call',
        key: turnOf(item),
        text: writeToolCall({
          id: item.required('call_id').stringText(),
          name: item.required('name').stringText(),
          arguments: item.required('arguments').stringText(),
        }),
      });
      return;
    case 'function_call_output':
      messages.toolResult(item.required('call_id').stringText(), contentText(item.required('output'), '\n'));
      return;
    case 'reasoning': {
      const text = reasoningText(item);
      if (text !== '""') messages.assistant({ kind: 'reasoning', key: turnOf(item), text });
      return;
    }
    default:
      item.refuse(
        `The item type "${type}" at \`${item.path}\` cannot be translated for this engine: expected message, function_call, function_call_output or reasoning.`,
      );
  }
}

function addMessage(item: RequestValue, messages: ChatMessages): void {
  const role = item.required('role').string();
  switch (role) {
    case 'user':
      messages.user(contentText(item.required('content'), '\n'));
      return;
    case 'system':
    case 'developer':
      // Most chat templates know no developer and would drop the message without a word.
      messages.system(contentText(item.required('content'), '\n'));
      return;
    case 'assistant':
      messages.assistant({
        kind: 'text',
        key: turnOf(item),
        text: contentText(item.required('content'), ''),
      });
      return;
    default:
      item.refuse(
        `Expected \`${item.path}.role\` to be user, assistant, system or developer, got "${role}".`,
      );
  }
}

/** The text of a content that is a string or a list of parts, as a JSON string with its quotes. */
function contentText(content: RequestValue, separator: string): string {
  if (content.kind === 'string') return content.text;
  const texts = content.elements().map((part) => {
    if (part.kind === 'string') return part.text;
    const type = part.required('type').string();
    switch (type) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return part.required('text').stringText();
      case 'refusal':
        return part.required('refusal').stringText();
      case 'input_image':
      case 'input_file':
      case 'input_audio':
        return part.refuse(
          `The part at \`${part.path}\` is an ${type}; this gateway captures text only. Put its text into the message.`,
        );
      default:
        return part.refuse(`Expected \`${part.path}.type\` to be a text part, got "${type}".`);
    }
  });
  return joinStrings(texts, separator);
}

function reasoningText(item: RequestValue): string {
  const sealed = item.member('encrypted_content');
  const opened = sealed === undefined ? undefined : openReasoning(sealed.string());
  if (opened !== undefined) return JSON.stringify(opened);
  for (const [list, separator] of [
    ['content', ''],
    ['summary', '\n'],
  ] as const) {
    const parts = item.member(list)?.elements() ?? [];
    const texts = parts.map((part) => part.required('text').stringText());
    if (texts.length > 0) return joinStrings(texts, separator);
  }
  return '""';
}

/** The item that `{ type: 'item_reference', id }` names; other items are returned as they are. */
function resolveReference(item: RequestValue, items: ResponseItems | undefined): RequestValue {
  const type = item.member('type');
  const isReference =
    type === undefined ? item.member('role') === undefined : type.string() === 'item_reference';
  if (!isReference) return item;
  const id = item.required('id').string();
  const text = items?.recall(id);
  if (text === undefined) {
    return item.refuse(
      `\`${item.path}\` refers to the item "${id}", which this gateway does not hold. Send items in full: with the Vercel AI SDK set providerOptions.openai.store to false.`,
    );
  }
  return RequestValue.of(text, item.path);
}

function turnOf(item: RequestValue): string | undefined {
  const id = item.member('id');
  return id === undefined ? undefined : turnOfItemId(id.string());
}
