import { isJsonObject, parseJson } from '@art/protocol';

export interface CanonicalMessage {
  role: string;
  /** Equal for messages that say the same, however they are spelled. */
  text: string;
}

/**
 * Brings a chat message into a form that an echo has in common with its original: texts of blocks are joined, the ids of
 * tool calls are left out, arguments are read (order, spacing and spelling of numbers do not count), a developer is a
 * system, null content is empty content.
 * @param json the message as JSON text
 * @param withReasoning whether what was thought has to be the same too
 */
export function canonicalMessage(json: string, withReasoning: boolean): CanonicalMessage {
  const message = readObject(json);
  // What is no message is equal only to itself.
  if (message === undefined) return { role: '', text: json };
  const role = message['role'] === 'developer' ? 'system' : (text(message['role']) ?? 'assistant');
  const calls: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const reasoning = message['reasoning_content'] ?? message['reasoning'];
  return {
    role,
    text: sortedJson([
      role,
      contentText(message['content']),
      calls.map(canonicalCall),
      withReasoning && typeof reasoning === 'string' ? reasoning : '',
      typeof message['refusal'] === 'string' ? message['refusal'] : '',
    ]),
  };
}

function canonicalCall(call: unknown): unknown {
  const fn = isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : {};
  const args = fn['arguments'];
  if (typeof args !== 'string') return [fn['name'] ?? null, args ?? {}];
  if (args.trim() === '') return [fn['name'] ?? null, {}];
  return [fn['name'] ?? null, readObject(args) ?? { _raw_arguments: args }];
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => blockText(block))
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (!isJsonObject(block)) return '';
  if (text(block['type'])?.includes('image') === true) return '[image omitted]';
  if (typeof block['text'] === 'string') return block['text'];
  if (typeof block['refusal'] === 'string') return block['refusal'];
  return contentText(block['content']);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readObject(json: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    if (typeof member === 'number' && !Number.isFinite(member)) return String(member);
    if (!isJsonObject(member)) return member;
    // Sorted pairs: an object would order names that look like numbers by itself, and knows no __proto__.
    return { '': Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)) };
  });
}
