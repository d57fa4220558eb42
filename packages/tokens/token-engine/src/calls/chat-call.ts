import { JsonScanner, objectMembers, writeObject } from '@art/gateway/json-bytes';
import { isJsonObject, describeThrown } from '@art/ground';
import type { RenderTask } from '../tokens/prompt-encoder.ts';
import type { TokenSamplerRequest } from '../token-sampler.ts';
import { badCall } from './call-errors.ts';

/** A chat call as far as rendering and sampling need it. */
export interface ChatCall {
  /** Source of the prompt. */
  conversation: RenderTask;
  /** The prompt where it is given as tokens, as the gateway does for a turn that continues from another one. */
  promptIds: readonly number[] | undefined;
  /** Without a bound on new tokens where the call leaves it open. */
  sampling: Omit<TokenSamplerRequest, 'prompt' | 'maxTokens'> & { maxTokens: number | undefined };
  model: string;
  stream: boolean;
  includeUsage: boolean;
}

// As many as OpenAI's own API allows.
const maxSamples = 128;

// What changes the answer and such a service cannot do, with what means nothing.
const unsupported: Readonly<Record<string, (value: unknown) => boolean>> = {
  stop_token_ids: (value) => Array.isArray(value) && value.length === 0,
  logit_bias: (value) => isJsonObject(value) && Object.keys(value).length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  repetition_penalty: (value) => value === 1,
  min_p: (value) => value === 0,
  min_tokens: (value) => value === 0,
  top_logprobs: (value) => value === 0,
  ignore_eos: (value) => value === false,
  response_format: (value) => isJsonObject(value) && value['type'] === 'text',
  structured_outputs: () => false,
  chat_template: () => false,
  tool_choice: (value) => value === 'auto' || value === 'none',
};

/** @throws ApiError where the body is no chat call, or asks for what token ids alone cannot do */
export function readChatCall(body: Uint8Array | undefined): ChatCall {
  const texts = membersOf(body);
  const value = (name: string): unknown => {
    const text = texts.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  };
  for (const [name, isNothing] of Object.entries(unsupported)) {
    const given = value(name) ?? undefined;
    if (given === undefined || isNothing(given)) continue;
    throw badCall(
      `Expected ${name} to be absent, got ${texts.get(name)}: this engine samples token ids only.`,
      name,
    );
  }
  const messages = itemsOf(texts.get('messages'));
  if (messages.length === 0) throw badCall('Expected messages, a list that is not empty.', 'messages');
  const tools = value('tool_choice') === 'none' ? undefined : texts.get('tools');
  const stop = value('stop');
  const options = value('stream_options');
  const given = value('kv_transfer_params');
  const ids: unknown = isJsonObject(given) ? given['prompt_token_ids'] : undefined;
  const number = (name: string): number | undefined => {
    const read = value(name) ?? undefined;
    if (read === undefined || typeof read === 'number') return read;
    throw badCall(`Expected ${name} to be a number, got ${texts.get(name)}.`, name);
  };
  const model = value('model');
  return {
    conversation: {
      messages,
      tools: tools === 'null' ? undefined : tools,
      templateArguments: templateArguments(texts),
    },
    promptIds: Array.isArray(ids) ? (ids as number[]) : undefined,
    sampling: {
      samples: sampleCount(number('n')),
      maxTokens: number('max_completion_tokens') ?? number('max_tokens'),
      temperature: number('temperature') ?? 1,
      topP: number('top_p'),
      topK: number('top_k'),
      seed: number('seed'),
      stop: [stop].flat().filter((text) => typeof text === 'string' && text !== '') as string[],
    },
    model: typeof model === 'string' ? model : '',
    stream: value('stream') === true,
    includeUsage: isJsonObject(options) && options['include_usage'] === true,
  };
}

/** The body's fields as JSON text. */
function membersOf(body: Uint8Array | undefined): ReadonlyMap<string, string> {
  if (body === undefined) throw badCall('Expected a JSON object as the body, got none.');
  let object: ReturnType<typeof objectMembers>;
  try {
    object = objectMembers(body);
  } catch (cause) {
    throw badCall(describeThrown(cause).message, undefined, cause);
  }
  if (object === undefined) throw badCall('Expected a JSON object as the body, got other JSON.');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return new Map(
    Array.from(object.byName, ([name, { valueStart, valueEnd }]) => [
      name,
      bytes.toString('utf8', valueStart, valueEnd),
    ]),
  );
}

function itemsOf(text: string | undefined): string[] {
  const items: string[] = [];
  const scanner = new JsonScanner(Buffer.from(text ?? 'null'));
  if (scanner.peek() !== 0x5b) return items;
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) items.push(scanner.readText());
  return items;
}

// vLLM gives it to the template as well.
function templateArguments(texts: ReadonlyMap<string, string>): string | undefined {
  const given = texts.get('chat_template_kwargs');
  const effort = texts.get('reasoning_effort') ?? 'null';
  if (effort === 'null') return given === 'null' ? undefined : given;
  const named = given === undefined || given === 'null' ? '{}' : given;
  const members = objectMembers(Buffer.from(named))?.byName;
  if (members === undefined || members.has('reasoning_effort')) return named;
  const kept = Array.from(
    members,
    ([name, at]) => [name, Buffer.from(named).toString('utf8', at.valueStart, at.valueEnd)] as const,
  );
  return writeObject([...kept, ['reasoning_effort', effort]]);
}

function sampleCount(count = 1): number {
  if (Number.isSafeInteger(count) && count >= 1 && count <= maxSamples) return count;
  throw badCall(`Expected n to be a whole number from 1 to ${maxSamples}, got ${count}.`, 'n');
}
