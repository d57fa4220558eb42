import { isJsonObject, jsonObjectIn } from '@art/ground';
import { sortedJson } from './sorted-json.ts';

/** Differences between two messages that still say the same. */
export interface CanonicalRules {
  /** Parts that have to be the same. */
  compare: 'content' | 'content+reasoning';
  /** `counted`: images, and whatever else is no text, have to be the same; `omitted`: only that there is an image. @default 'omitted' */
  media?: 'omitted' | 'counted' | undefined;
}

export interface CanonicalMessage {
  role: string;
  /** Equal for messages that say the same, however they are spelled. */
  text: string;
}

/**
 * Brings a chat message into a form that an echo has in common with its original: texts of blocks are joined, the ids of
 * tool calls are left out, arguments are read (order, spacing and spelling of numbers do not count: an agent in JavaScript
 * sends `1` for the `1.0` that was sampled), a developer is a system, null content is empty content. The one answer to
 * whether two messages are the same, for trees, compact captures and the token engine.
 * @param json the message as JSON text
 */
export function canonicalMessage(
  json: string,
  { compare, media = 'omitted' }: CanonicalRules,
): CanonicalMessage {
  const message = jsonObjectIn(json);
  // What is no message is equal only to itself.
  if (message === undefined) return { role: '', text: json };
  const role = message['role'] === 'developer' ? 'system' : (text(message['role']) ?? 'assistant');
  const calls: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const reasoning = compare === 'content+reasoning' ? reasoningOf(message) : undefined;
  return {
    role,
    text: sortedJson([
      role,
      contentText(message['content'], media),
      calls.map(canonicalCall),
      reasoning ?? '',
      typeof message['refusal'] === 'string' ? message['refusal'] : '',
    ]),
  };
}

// The last name is that of LiteLLM.
function reasoningOf(message: Record<string, unknown>): string | undefined {
  const fields = message['provider_specific_fields'];
  const again = isJsonObject(fields) ? fields['reasoning'] : undefined;
  return [message['reasoning_content'], message['reasoning'], again]
    .map(text)
    .find((found) => found !== undefined);
}

function canonicalCall(call: unknown): unknown {
  const fn = isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : {};
  const args = fn['arguments'];
  if (typeof args !== 'string') return [fn['name'] ?? null, args ?? {}];
  if (args.trim() === '') return [fn['name'] ?? null, {}];
  return [fn['name'] ?? null, jsonObjectIn(args) ?? { _raw_arguments: args }];
}

function contentText(content: unknown, media: CanonicalRules['media']): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => blockText(block, media))
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: unknown, media: CanonicalRules['media']): string {
  if (typeof block === 'string') return block;
  if (!isJsonObject(block)) return '';
  const type = text(block['type']) ?? 'text';
  if (type.includes('image') && media === 'omitted') return '[image omitted]';
  if (typeof block['text'] === 'string') return block['text'];
  if (typeof block['refusal'] === 'string') return block['refusal'];
  if (Array.isArray(block['content'])) return contentText(block['content'], media);
  const isThought = type === 'thinking' || type === 'reasoning';
  return media === 'omitted' || isThought ? '' : sortedJson(block);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
