import { jsonObjectIn } from '@art/ground';
import type { AskedAnswer } from './ask.ts';

// Servers say by these that a stream has failed, and by nothing else.
const errorMembers = new Set(['error', 'error_type', 'errorText', 'message', 'type', 'code', 'status']);

/** Why a stream of events is no answer: an event that tells of an error, or no event at all. Undefined where it is one. */
export function streamFailure({ headers, text }: AskedAnswer): string | undefined {
  if (!/^text\/event-stream\b/.test(headers['content-type'] ?? '')) return undefined;
  const events = text.split(/(?:\r\n|\r|\n){2,}/).filter((event) => /^data:/m.test(event));
  if (events.length === 0) return 'a stream without an event';
  const failed = events.find(isError);
  return failed && `a stream with an error: ${failed.slice(0, 200)}`;
}

function isError(event: string): boolean {
  if (/^event: ?error\s*$/m.test(event)) return true;
  const data = event
    .split(/\r\n|\r|\n/)
    .flatMap((line) => /^data: ?(.*)/.exec(line)?.[1] ?? [])
    .join('\n');
  const value = jsonObjectIn(data) ?? {};
  const isMarked = value['type'] === 'error' || (value['error'] !== undefined && value['error'] !== null);
  return isMarked && Object.keys(value).every((name) => errorMembers.has(name));
}
