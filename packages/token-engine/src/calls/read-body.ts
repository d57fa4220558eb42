import { isJsonObject } from '@art/protocol';
import { type ApiError, SseDataLines } from '@art/gateway/engine-port';

import type { ParsedToolCall, ParsedTurn } from '../parsers/parsed-turn.ts';
import { engineFault } from './call-errors.ts';

/** A body as a whole. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The data of each server-sent event up to `[DONE]`. */
async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const lines = new SseDataLines();
  for await (const chunk of body) {
    for (const data of lines.push(chunk)) {
      if (data.trim() === '[DONE]') return;
      yield data;
    }
  }
  // A stream that ends without a blank line.
  for (const data of lines.push(Buffer.from('\n\n'))) if (data.trim() !== '[DONE]') yield data;
}

/**
 * What an engine's answer says: the JSON of each event of a stream, or that of a whole body.
 * @throws ApiError (502) where it is not JSON
 */
export async function* readEngineJson(
  body: AsyncIterable<Uint8Array>,
  isStreamed: boolean,
): AsyncGenerator<unknown, void> {
  if (!isStreamed) yield parseEngineJson((await readWhole(body)).toString());
  else for await (const data of readEvents(body)) yield parseEngineJson(data);
}

/** @throws ApiError (502) where an engine's answer is not JSON */
export function parseEngineJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `The engine answered something that is not JSON: ${text.slice(0, 200)}`;
    throw engineFault(message, 'engine_bad_reply', cause);
  }
}

/**
 * An object of tokens; what is no object has none.
 * @throws ApiError (502) where it is an error in their place
 */
export function tokensObject(value: unknown): Readonly<Record<string, unknown>> {
  const object = isJsonObject(value) ? value : {};
  const { error } = object;
  if (error === undefined || error === null) return object;
  const told = isJsonObject(error) ? error['message'] : error;
  throw givenUp(typeof told === 'string' ? told : 'it reported an error');
}

/** An engine accepted a call and did not finish it. */
export function givenUp(message = 'it did not say why'): ApiError {
  return engineFault(`The engine gave the answer up: ${message}`, 'generation_aborted');
}

/** A message of the chat wire, as an engine took it apart. Undefined where it is none. */
export function readEngineMessage(value: unknown): ParsedTurn | undefined {
  if (!isJsonObject(value)) return undefined;
  const calls: readonly unknown[] = Array.isArray(value['tool_calls']) ? value['tool_calls'] : [];
  return {
    content: textOf(value['content']),
    // Releases differ in the name.
    reasoning: textOf(value['reasoning'] ?? value['reasoning_content']),
    toolCalls: calls.flatMap((call) => readCall(call) ?? []),
    // What an engine could not take apart it leaves in the text, without a word.
    illFormed: false,
  };
}

function readCall(value: unknown): ParsedToolCall | undefined {
  const call = isJsonObject(value) ? value['function'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(call) || typeof call['name'] !== 'string') return undefined;
  const { id } = value;
  const args = call['arguments'];
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    name: call['name'],
    arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
