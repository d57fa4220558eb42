import type { ChatMessages } from '../chat/chat-messages.ts';
import { writeToolCall } from '../chat/chat-tools.ts';
import type { RequestValue } from '../chat/request-value.ts';
import { joinStrings } from '../../json-bytes/write-json.ts';

/**
 * The accounting header that Claude Code puts in front of its system prompt. It has a checksum that differs from call
 * to call.
 */
const billingHeader = '"x-anthropic-billing-header:';

/** A tool's arguments that are no JSON object travel under this name, as the wire takes objects only. */
export const rawArgumentsName = '_raw_arguments';

/** The system prompt as a JSON string with its quotes; undefined where there is none. */
export function systemText(system: RequestValue): string | undefined {
  if (system.kind === 'string') return system.text;
  const texts = system
    .elements()
    .map((block) => textOf(block))
    // It is not meant for the model, and would make every prompt of a session differ at its head.
    .filter((text) => !text.startsWith(billingHeader));
  return texts.length === 0 ? undefined : joinStrings(texts, '\n');
}

/**
 * Adds `messages` to those of a chat request. Every text block of a user becomes its own message, every result of a
 * tool a tool message.
 * @throws WireRequestError for what no chat template can hold: images, documents, blocks of server tools
 */
export function addMessages(list: RequestValue, messages: ChatMessages): void {
  // A system message amid the conversation joins the user message before it, else the one after it.
  const reminders: string[] = [];
  const addUser = (text: string): void => {
    messages.user(joinStrings([...reminders.splice(0), text], ''));
  };
  for (const [index, message] of list.elements().entries()) {
    const role = message.required('role').string();
    const content = message.required('content');
    if (role === 'user') {
      if (content.kind === 'string') addUser(content.text);
      else for (const block of content.elements()) addUserBlock(block, messages, addUser);
    } else if (role === 'assistant') {
      addAssistant(content, messages, `m${index}`);
    } else if (role === 'system') {
      const reminder = joinStrings(
        ['"<system-reminder>\\n"', systemText(content) ?? '""', '"\\n</system-reminder>\\n"'],
        '',
      );
      if (!messages.appendToLastUser(reminder)) reminders.push(reminder);
    } else {
      message.refuse(`Expected \`${message.path}.role\` to be user, assistant or system, got "${role}".`);
    }
  }
  if (reminders.length > 0) messages.user(joinStrings(reminders, ''));
}

function addUserBlock(block: RequestValue, messages: ChatMessages, addUser: (text: string) => void): void {
  const type = block.required('type').string();
  if (type === 'text') addUser(block.required('text').stringText());
  else if (type === 'tool_result') {
    messages.toolResult(block.required('tool_use_id').stringText(), toolResultText(block));
  } else refuseBlock(block, type);
}

function toolResultText(block: RequestValue): string {
  const content = block.member('content');
  if (content === undefined) return '""';
  if (content.kind === 'string') return content.text;
  return joinStrings(content.elements().map(textOf), '\n');
}

function addAssistant(content: RequestValue, messages: ChatMessages, key: string): void {
  messages.beginAssistant(key);
  if (content.kind === 'string') {
    messages.assistant({ kind: 'text', text: content.text, key });
    return;
  }
  for (const block of content.elements()) {
    const type = block.required('type').string();
    switch (type) {
      case 'text':
        messages.assistant({ kind: 'text', text: block.required('text').stringText(), key });
        break;
      case 'thinking':
        messages.assistant({ kind: 'reasoning', text: block.required('thinking').stringText(), key });
        break;
      case 'redacted_thinking':
        // Sealed by another server; there is nothing in it that this model has said.
        break;
      case 'tool_use':
        messages.assistant({
          kind: 'call',
          key,
          text: writeToolCall({
            id: block.required('id').stringText(),
            name: block.required('name').stringText(),
            arguments: argumentsText(block.required('input')),
          }),
        });
        break;
      default:
        refuseBlock(block, type);
    }
  }
}

/** A tool's input as the chat wire has it: a JSON string that holds the input's own text. */
function argumentsText(input: RequestValue): string {
  const raw = input.members().get(rawArgumentsName);
  if (raw?.kind === 'string' && input.members().size === 1) return raw.text;
  return JSON.stringify(input.text);
}

function textOf(block: RequestValue): string {
  if (block.kind === 'string') return block.text;
  const type = block.required('type').string();
  return type === 'text' ? block.required('text').stringText() : refuseBlock(block, type);
}

function refuseBlock(block: RequestValue, type: string): never {
  return block.refuse(
    type === 'image' || type === 'document'
      ? `The block at \`${block.path}\` is of type "${type}"; this gateway captures text only. Put its text into the message.`
      : `The block type "${type}" at \`${block.path}\` cannot be translated for this engine.`,
  );
}
