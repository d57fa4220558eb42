import { objectMembers } from '../json-bytes/object-members.ts';
import { isJsonObject, jsonIn } from '@art/ground';
import type { TextBytes } from '../store/capture-store.ts';

/** Something in a request that token ids do not hold. */
export interface MediaPart {
  /** Where it is: `messages[3].content[1]`. */
  path: string;
  /** The part's `type`: `image_url`, `input_audio`, `document`. */
  type: string;
}

// Parts of the three APIs that are text, or that templates render as text. Any other is taken for media: a kind that is not known
// here must not train unseen.
const textTypes = new Set([
  'text',
  'refusal',
  'input_text',
  'output_text',
  'summary_text',
  'reasoning_text',
  'reasoning',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'tool_call',
  'tool_reference',
  'search_result',
  'json',
]);
/** vLLM takes parts without a type, by their field. */
const mediaMembers = [
  'image_url',
  'image',
  'image_pil',
  'image_embeds',
  'input_audio',
  'audio_url',
  'video_url',
  'file',
];

/** The images, audio and files of a call, also those of tool results and of earlier turns. */
export function mediaIn(list: string, messages: readonly TextBytes[]): readonly MediaPart[] {
  return messages.flatMap((message, index) => {
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    return mayHoldParts(bytes) ? mediaOf(jsonIn(Buffer.from(bytes).toString()), `${list}[${index}]`) : [];
  });
}

// With the first byte of what may hold parts.
const holders = { content: 0x5b, output: 0x5b, audio: 0x7b };

/**
 * True if it has a list of parts, or the audio of an earlier answer. Most messages are long texts, and are not decoded
 * for this.
 */
function mayHoldParts(bytes: Uint8Array): boolean {
  const members = objectMembers(bytes)?.byName;
  return Object.entries(holders).some(
    ([name, opening]) => bytes[members?.get(name)?.valueStart ?? -1] === opening,
  );
}

function mediaOf(holder: unknown, path: string): MediaPart[] {
  if (!isJsonObject(holder)) return [];
  const audio = isJsonObject(holder['audio']) ? [{ path: `${path}.audio`, type: 'audio' }] : [];
  const inside = ['content', 'output'].flatMap((name) => {
    const parts = holder[name];
    return Array.isArray(parts)
      ? parts.flatMap((part, index) => partMedia(part, `${path}.${name}[${index}]`))
      : [];
  });
  return [...audio, ...inside];
}

function partMedia(part: unknown, path: string): MediaPart[] {
  if (!isJsonObject(part)) return [];
  const { type } = part;
  const member = mediaMembers.find((name) => part[name] !== undefined && part[name] !== null);
  const named = typeof type === 'string' && !textTypes.has(type) ? type : undefined;
  const found = named ?? (typeof type === 'string' ? undefined : member);
  return found === undefined ? mediaOf(part, path) : [{ path, type: found }];
}
