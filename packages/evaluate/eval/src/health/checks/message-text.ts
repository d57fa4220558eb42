import { isJsonObject, type JsonObject } from '@art/ground';

/** The text of a message; blocks are joined, and what is no text is left out. */
export function messageText({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) =>
      typeof block === 'string'
        ? block
        : isJsonObject(block) && typeof block['text'] === 'string'
          ? block['text']
          : '',
    )
    .join('\n');
}

/** Thoughts of the model before it answered. */
export function reasoningText(message: JsonObject): string {
  const found = message['reasoning_content'] ?? message['reasoning'];
  return typeof found === 'string' ? found : '';
}
