import { ArtError } from '@art/ground';

import { parseLossless, type LosslessJson, type LosslessObject } from './lossless-json.ts';

/**
 * A chat message as templates expect it: text blocks joined, no content as empty text, arguments of tool calls as an
 * object, reasoning under both of its names. Numbers keep their spelling.
 * @throws ArtError `ART_UNSUPPORTED_MESSAGE` for images and other content that is not text, or no message at all
 */
export function toTemplateMessage(raw: string, knowsDeveloper: boolean): LosslessObject {
  const message = parseMessage(raw);
  const role = message.get('role');
  if (role === 'developer' && !knowsDeveloper) message.set('role', 'system');
  message.set('content', flattenContent(message.get('content')));
  const calls = message.get('tool_calls');
  if (Array.isArray(calls)) message.set('tool_calls', calls.map(withParsedArguments));
  else message.delete('tool_calls');
  const reasoning = message.get('reasoning_content') ?? message.get('reasoning');
  for (const name of ['reasoning_content', 'reasoning', 'thinking']) {
    if (typeof reasoning === 'string') message.set(name, reasoning);
    else if (message.get(name) === null) message.delete(name);
  }
  return message;
}

/** @throws ArtError `ART_UNSUPPORTED_MESSAGE` */
function parseMessage(raw: string): LosslessObject {
  const message = parseLossless(raw);
  if (!(message instanceof Map) || typeof message.get('role') !== 'string') {
    throw new ArtError({
      code: 'ART_UNSUPPORTED_MESSAGE',
      message: `Expected a chat message, an object with a role; got ${raw.slice(0, 80)}.`,
    });
  }
  return message;
}

const textBlocks = new Set(['text', 'input_text', 'output_text', 'refusal']);

/** Text blocks joined by line breaks, empty ones left out; `null` and nothing are empty text. */
function flattenContent(content: LosslessJson | undefined): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return refuse('an object');
  return content
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: LosslessJson): string {
  if (typeof block === 'string') return block;
  if (!(block instanceof Map)) return refuse('a block that is not an object');
  const type = block.get('type') ?? 'text';
  const text = block.get('text') ?? block.get('refusal');
  if (typeof type === 'string' && textBlocks.has(type) && typeof text === 'string') return text;
  if (type === 'thinking' || type === 'reasoning') return '';
  return refuse(`a block of type ${typeof type === 'string' ? type : 'unknown'}`);
}

function refuse(what: string): never {
  throw new ArtError({
    code: 'ART_UNSUPPORTED_MESSAGE',
    message: `Expected text as the content of a message, got ${what}. Only text can be rendered to tokens here.`,
  });
}

function withParsedArguments(call: LosslessJson): LosslessJson {
  if (!(call instanceof Map)) return call;
  const inner = call.get('function');
  if (!(inner instanceof Map)) return call;
  return new Map(call).set(
    'function',
    new Map(inner).set('arguments', parseArguments(inner.get('arguments'))),
  );
}

/** Arguments as an object. What is not one is kept whole under `_raw_arguments`. */
function parseArguments(value: LosslessJson | undefined): LosslessJson {
  if (value === undefined || value === null || value === '') return new Map();
  if (typeof value !== 'string') return value;
  try {
    const parsed = parseLossless(value);
    if (parsed instanceof Map) return parsed;
  } catch {
    // Not JSON: what the model wrote is still shown to it.
  }
  return new Map([['_raw_arguments', value]]);
}
