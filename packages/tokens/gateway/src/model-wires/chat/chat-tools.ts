import { writeObject } from '../../json-bytes/write-json.ts';

type Members = readonly (readonly [name: string, text: string | undefined])[];

/** The tools of a chat request, as JSON text. */
export interface ChatTools {
  tools: string | undefined;
  toolChoice: string | undefined;
}

/** A function as the chat wire wraps it: a tool, a choice of one, or a call. */
export function writeFunction(members: Members): string {
  return writeObject([
    ['type', '"function"'],
    ['function', writeObject(members)],
  ]);
}

/** A tool call of the chat wire. All three are JSON strings with their quotes. */
export function writeToolCall(call: { id: string; name: string; arguments: string }): string {
  const called = writeFunction([
    ['name', call.name],
    ['arguments', call.arguments],
  ]);
  return `{"id":${call.id},${called.slice(1)}`;
}
