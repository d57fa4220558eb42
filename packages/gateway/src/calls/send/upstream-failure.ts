import { isJsonObject, parseJson } from '@art/protocol';
import type { WholeReply } from './received-reply.ts';

const shownCharacters = 300;

/** The words of an engine's refusal, whatever shape it gave them; undefined where it is no JSON object. */
export function upstreamMessage(bytes: Uint8Array): string | undefined {
  const document = readObject(bytes);
  if (document === undefined) return undefined;
  const { error, message, detail } = document;
  if (isJsonObject(error) && typeof error['message'] === 'string') return error['message'];
  for (const text of [error, message, detail]) if (typeof text === 'string') return text;
  return Buffer.from(bytes).toString('utf8', 0, shownCharacters);
}

/** What to say of an answer that is not what an engine says: a page of a proxy in front of it, for one. */
export function unreadableReply(reply: WholeReply): string {
  const type = reply.headers['content-type'];
  const start = reply.body.bytes.toString('utf8', 0, shownCharacters).trim();
  return `The worker answered ${reply.status} with ${String(type ?? 'no content type')} instead of JSON: ${start}`;
}

function readObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const document = parseJson(Buffer.from(bytes).toString());
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
