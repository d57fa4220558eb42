import {
  isTruthyJson,
  JsonScanner,
  type ObjectMember,
  objectMembers,
  writeArray,
  writeObject,
} from '@art/json-bytes';
import { parseLossless } from '../tokens/lossless-json.ts';
import type { CalledEngine } from './called-engine.ts';
import { badCall } from './call-errors.ts';

/** A chat call as far as rendering and sampling need it; everything as the JSON text in which it came. */
export interface ChatCall {
  /** As JSON text. */
  messages: readonly string[];
  /** JSON array; undefined where there are none, or the call forbids their use. */
  tools: string | undefined;
  /** `chat_template_kwargs`. */
  templateArguments: string | undefined;
  model: string;
  stream: boolean;
  includeUsage: boolean;
  /** How many alternatives of each token are wanted; 0 for none. */
  topLogprobs: number;
  /** How many answers are wanted: `n`. */
  choiceCount: number;
  /** `tool_choice` as JSON text where it forces a call; undefined where the model is free. */
  forcedTool: string | undefined;
  /** Any other member of the body, as JSON text. */
  value(name: string): string | undefined;
  /** The whole body as it came. */
  text(): string;
  /** The body's members as JSON text; of a repeated one the last counts. */
  members(): ReadonlyMap<string, string>;
}

/** A call on its way: what sampling it and reading its answer have in common. */
export interface CallContext {
  call: ChatCall;
  promptIds: Int32Array;
  /** Identifies the call at the engine. */
  requestId: string;
  engine: CalledEngine;
}

// As many as OpenAI's own API allows.
const maxChoices = 128;

/** @throws ApiError where the body is no chat call */
export function readChatCall(body: Uint8Array | undefined): ChatCall {
  if (body === undefined) throw badCall('Expected a JSON object as the body, got none.');
  let object: ReturnType<typeof objectMembers>;
  try {
    object = objectMembers(body);
  } catch (cause) {
    throw badCall(cause instanceof Error ? cause.message : String(cause), undefined, cause);
  }
  if (object === undefined) throw badCall('Expected a JSON object as the body, got other JSON.');
  const { byName } = object;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const textOf = (member: ObjectMember): string => bytes.toString('utf8', member.valueStart, member.valueEnd);
  const value = (name: string): string | undefined => {
    const member = byName.get(name);
    const text = member && textOf(member);
    return text === 'null' ? undefined : text;
  };
  const messagesAt = byName.get('messages');
  const messages =
    messagesAt === undefined
      ? []
      : readItems(new JsonScanner(bytes, messagesAt.valueStart, messagesAt.valueEnd));
  if (messages.length === 0) throw badCall('Expected messages, a list that is not empty.', 'messages');
  const choice = value('tool_choice');
  const tools = choice === '"none"' ? undefined : value('tools');
  return {
    messages,
    tools: isTruthyJson(tools) ? tools : undefined,
    templateArguments: value('chat_template_kwargs'),
    model: readText(value('model')) ?? '',
    stream: isTruthyJson(value('stream')),
    includeUsage: includesUsage(value('stream_options')),
    topLogprobs: Number(value('top_logprobs') ?? 0) || 0,
    choiceCount: readChoiceCount(value('n')),
    forcedTool: choice === '"auto"' || choice === '"none"' ? undefined : choice,
    value,
    text: () => bytes.toString(),
    members: () => new Map(Array.from(byName, ([name, member]) => [name, textOf(member)])),
  };
}

/** The same call about another conversation. */
export function withMessages(call: ChatCall, messages: readonly string[]): ChatCall {
  const members = (): ReadonlyMap<string, string> =>
    new Map(call.members()).set('messages', writeArray(messages));
  return { ...call, messages, members, text: () => writeObject(members()) };
}

/**
 * Refuses a call that forces the model to use a tool: that takes a grammar, which only the engine can make of the tools.
 * @throws ApiError
 */
export function refuseForcedTool(call: ChatCall): void {
  if (call.forcedTool === undefined) return;
  throw badCall(
    `Expected tool_choice to be "auto" or "none", got ${call.forcedTool}: the sampling of token ids cannot force a call ` +
      'unless the engine takes the answer apart, and as to vLLM renders the prompt.',
    'tool_choice',
  );
}

function readItems(scanner: JsonScanner): string[] {
  const items: string[] = [];
  if (scanner.peek() !== 0x5b) return items;
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) items.push(scanner.readText());
  return items;
}

function readChoiceCount(n: string | undefined): number {
  if (n === undefined) return 1;
  const count = Number(n);
  if (Number.isSafeInteger(count) && count >= 1 && count <= maxChoices) return count;
  throw badCall(`Expected n to be a whole number from 1 to ${maxChoices}, got ${n}.`, 'n');
}

function readText(text: string | undefined): string | undefined {
  const value = text === undefined ? undefined : parseLossless(text);
  return typeof value === 'string' ? value : undefined;
}

function includesUsage(streamOptions: string | undefined): boolean {
  const options = streamOptions === undefined ? undefined : parseLossless(streamOptions);
  return options instanceof Map && options.get('include_usage') === true;
}
