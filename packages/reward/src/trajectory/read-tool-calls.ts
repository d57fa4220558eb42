import { isJsonObject, readMember, refuseOption } from '@art/protocol';

/** Messages in the shape of chat completions, alone or as an evaluation has them. */
export type TrajectoryMessages =
  | { messages: readonly object[] }
  | { transcript: { messages: readonly object[] } };

export interface ToolCall {
  name: string;
  /** Undefined where the model wrote no JSON object. */
  arguments: Record<string, unknown> | undefined;
}

/** The calls of tools in their order. @throws ArtError `ART_INVALID_OPTION` */
export function readToolCalls(input: TrajectoryMessages): ToolCall[] {
  const messages: unknown =
    readMember(input, 'messages') ?? readMember(readMember(input, 'transcript'), 'messages');
  if (!Array.isArray(messages)) refuseOption('messages', 'a list of messages', messages);
  return messages.flatMap((message: unknown) => {
    const calls = readMember(message, 'tool_calls');
    return Array.isArray(calls) ? calls.flatMap(readCall) : [];
  });
}

function readCall(call: unknown): ToolCall[] {
  const name = readMember(readMember(call, 'function'), 'name');
  const text = readMember(readMember(call, 'function'), 'arguments');
  return typeof name === 'string' ? [{ name, arguments: readArguments(text) }] : [];
}

function readArguments(text: unknown): Record<string, unknown> | undefined {
  if (isJsonObject(text)) return text;
  try {
    const value: unknown = JSON.parse(String(text));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
