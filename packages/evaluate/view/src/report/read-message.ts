import { jsonText } from './json-text.ts';

/** A chat message, taken apart into what the page shows. */
export interface Message {
  role: string;
  name: string | undefined;
  /** Texts in their order; `kind` says what a text is. */
  texts: { kind: 'text' | 'reasoning' | 'other'; text: string }[];
  toolCalls: { id: string; name: string; arguments: string }[];
  toolResults: { id: string; text: string }[];
  /** True if there is nothing in it but results of tools. */
  isOnlyResults: boolean;
}

/** Reads a message of any of the usual wires; what is not understood is kept as JSON. */
export function readMessage(value: unknown): Message {
  const message: Message = {
    role: 'unknown',
    name: undefined,
    texts: [],
    toolCalls: [],
    toolResults: [],
    isOnlyResults: false,
  };
  if (!isObject(value)) {
    message.texts.push({ kind: 'other', text: jsonText(value) });
    return message;
  }
  const { role, name, content } = value;
  if (typeof role === 'string') message.role = role;
  if (typeof name === 'string') message.name = name;
  for (const member of ['reasoning_content', 'reasoning', 'thinking', 'refusal']) {
    const text = value[member];
    if (typeof text === 'string' && text !== '') message.texts.push({ kind: 'reasoning', text });
  }
  if (role === 'tool' || role === 'function') {
    const id = value['tool_call_id'];
    message.toolResults.push({ id: textOf(id), text: contentText(content) });
    message.isOnlyResults = true;
    return message;
  }
  for (const part of Array.isArray(content) ? content : [content]) readPart(part, message);
  const calls = value['tool_calls'];
  for (const call of Array.isArray(calls) ? calls : []) readCall(call, message);
  if (isObject(value['function_call'])) readCall({ function: value['function_call'] }, message);
  message.isOnlyResults =
    message.toolResults.length > 0 && message.texts.length === 0 && message.toolCalls.length === 0;
  return message;
}

function readPart(part: unknown, message: Message): void {
  if (part === null || part === undefined || part === '') return;
  if (typeof part === 'string') {
    message.texts.push({ kind: 'text', text: part });
    return;
  }
  if (!isObject(part)) {
    message.texts.push({ kind: 'other', text: jsonText(part) });
    return;
  }
  const { type, text } = part;
  if (type === 'tool_use') {
    message.toolCalls.push({
      id: textOf(part['id']),
      name: textOf(part['name']),
      arguments: jsonText(part['input']),
    });
  } else if (type === 'tool_result') {
    message.toolResults.push({ id: textOf(part['tool_use_id']), text: contentText(part['content']) });
  } else if (type === 'thinking' && typeof part['thinking'] === 'string') {
    message.texts.push({ kind: 'reasoning', text: part['thinking'] });
  } else if (typeof text === 'string') {
    message.texts.push({ kind: 'text', text });
  } else {
    message.texts.push({ kind: 'other', text: jsonText(part) });
  }
}

function readCall(call: unknown, message: Message): void {
  if (!isObject(call)) return;
  const { id, function: called } = call;
  const body = isObject(called) ? called : call;
  const given = body['arguments'];
  message.toolCalls.push({
    id: textOf(id),
    name: typeof body['name'] === 'string' ? body['name'] : 'unknown tool',
    arguments: typeof given === 'string' ? prettyJson(given) : jsonText(given),
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return jsonText(content);
  return content
    .map((part: unknown) =>
      isObject(part) && typeof part['text'] === 'string' ? part['text'] : jsonText(part),
    )
    .join('\n');
}

/** Most characters that are worth the time of laying them out anew. */
const mostPretty = 1 << 20;

/** JSON with indents; a text that is no JSON as it is. */
function prettyJson(text: string): string {
  if (text.length > mostPretty) return text;
  try {
    return jsonText(JSON.parse(text));
  } catch {
    return text;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
