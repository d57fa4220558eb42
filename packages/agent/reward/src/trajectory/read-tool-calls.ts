import { isJsonObject, readMember, refuseOption } from '@art/ground';
import { exactJson } from '../json/equal-json.ts';
import { judgeFailed } from '../judge-failed.ts';

/**
 * Messages of chat completions, items of OpenAI's Responses, or messages of Anthropic's Messages, alone or as an evaluation has them.
 */
export type TrajectoryMessages =
  | { messages: readonly object[] }
  | { transcript: { messages: readonly object[] } };

type Message = Readonly<Record<string, unknown>>;

export interface ToolCall {
  name: string;
  /** Undefined where the model wrote no JSON object. */
  arguments: Record<string, unknown> | undefined;
}

/**
 * The calls of tools in their order, those of tools that the provider runs (`web_search_call`, `server_tool_use`) included.
 *
 * @throws ArtError `ART_INVALID_OPTION` for messages that are no list of objects, and for a call without a name
 * @throws ArtError `ART_JUDGE_FAILED` where nothing of the model is among the messages: what was not captured is not judged
 */
export function readToolCalls(input: TrajectoryMessages): ToolCall[] {
  const messages: unknown =
    readMember(input, 'messages') ?? readMember(readMember(input, 'transcript'), 'messages');
  if (!Array.isArray(messages) || !messages.every(isJsonObject))
    refuseOption('messages', 'a list of messages', messages);
  if (!messages.some(isOfModel))
    judgeFailed(
      'messages with at least one of the model (with `art eval`: an agent that calls the model at `rollout.baseUrl`)',
      `${messages.length} messages and none of the model`,
    );
  return messages.flatMap((message) => callsOf(message).map(readCall));
}

/** An item of Responses has no role, save its messages; `reasoning` and calls are the model's. */
function isOfModel(message: Message): boolean {
  return message['role'] === 'assistant' || isCall(message) || message['type'] === 'reasoning';
}

/** The parts of a message that are calls, each in its own shape. */
function callsOf(message: Message): Message[] {
  if (isCall(message)) return [message];
  const { role, tool_calls: toolCalls, function_call: functionCall, content } = message;
  // What a user quotes is no call.
  if (role !== 'assistant') return [];
  return [
    ...objectsIn(toolCalls),
    ...objectsIn(content).filter(isCall),
    ...(isJsonObject(functionCall) ? [functionCall] : []),
  ];
}

function objectsIn(list: unknown): Message[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Responses: `function_call`, `mcp_call`, `web_search_call` ... Messages: `tool_use`, `server_tool_use` ... AI SDK: `tool-call`. */
function isCall({ type, toolUse }: Message): boolean {
  return (typeof type === 'string' && /(?:^|[_-])(?:call|tool_use)$/.test(type)) || isJsonObject(toolUse);
}

function readCall(call: Message): ToolCall {
  // Chat completions wrap a call in `function` or `custom`, Bedrock's Converse in `toolUse`.
  const inner = [call['function'], call['custom'], call['toolUse']].find(isJsonObject) ?? call;
  const { type } = call;
  // Tools of the provider have no name but their type; those of the user have one.
  const providers =
    typeof type === 'string'
      ? /^(?!function_|custom_|custom_tool_|mcp_)(\w+)_call$/.exec(type)?.[1]
      : undefined;
  const name = inner['name'] ?? inner['toolName'] ?? providers;
  if (typeof name !== 'string') refuseOption('messages', 'calls of tools with a name', call);
  return {
    name,
    arguments: readArguments(inner['arguments'] ?? inner['input'] ?? inner['args'] ?? inner['action']),
  };
}

function readArguments(value: unknown): Record<string, unknown> | undefined {
  if (isJsonObject(value)) return value;
  try {
    const parsed = exactJson(String(value));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
