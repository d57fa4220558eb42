import {
  anHttpUrl,
  ArtError,
  aNumber,
  anyObject,
  aText,
  optional,
  type OptionRules,
  readMember,
  readOptions,
  type ReadOptions,
  unchecked,
  callWithin,
  type Clock,
  growingPauseMs,
  retryPatiently,
} from '@art/ground';
import type { ModelUsage } from '../reward-context.ts';
import { withoutEnd } from '../without-end.ts';

/** How a model is asked over the API of chat completions. */
export interface ChatModelOptions {
  /** OpenAI-compatible endpoint, `/v1` included. */
  baseUrl: string;
  model: string;
  /** Sent as Bearer key. @default none */
  apiKey?: string | undefined;
  /** Further fields of the request, such as `temperature` or `seed`. @default {} */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Longest time of one call. @default 120_000 */
  timeoutMs?: number | undefined;
  /** Calls in all until it is given up. @default 4 */
  attempts?: number | undefined;
  /** Time of the pauses between calls, for tests. @default the system's */
  clock?: Clock | undefined;
}

/** For the tables of those who ask a model. */
export const chatModelRules = {
  baseUrl: anHttpUrl,
  model: aText,
  apiKey: unchecked(),
  params: optional(anyObject<Readonly<Record<string, unknown>>>(), {}),
  timeoutMs: optional(aNumber({ above: 0, max: Infinity }), 120_000),
  attempts: optional(aNumber({ min: 1, integer: true }), 4),
  clock: unchecked(),
} satisfies OptionRules<ChatModelOptions>;

/** Counts the requests to a model, those that are repeated included. */
export interface ModelMeter {
  /** Called before each request. It throws where none may be sent any more. */
  begin?: (() => void) | undefined;
  /** Called after each one. Tokens that the endpoint does not count are the bytes of the texts, which is more than there can be. */
  count: (usage: ModelUsage) => void;
}

/** A message as chat completions take it. */
export interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

const longestPauseMs = 30_000;

/** Asks a model for a text. Asks again what failed, was refused for the moment, or cannot be read. */
export class ChatModel {
  readonly #options: ReadOptions<typeof chatModelRules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: ChatModelOptions) {
    this.#options = readOptions('ChatModel', options, chatModelRules);
  }

  /** The request for these messages, as it is sent: by it an answer can be kept. */
  body(messages: readonly ChatMessage[], fields: Readonly<Record<string, unknown>> = {}): string {
    const { model, params } = this.#options;
    return JSON.stringify({ model, messages, ...params, ...fields });
  }

  /**
   * @param body the request, or what makes one for each call
   * @param read makes a value of the answer; throws where it cannot
   * @throws the last error, or the signal's reason
   */
  ask<Value>(
    body: string | (() => string),
    read: (text: string) => Value | Promise<Value>,
    signal?: AbortSignal,
    meter?: ModelMeter,
  ): Promise<Value> {
    const { attempts, clock } = this.#options;
    const attempt = async (): Promise<Value> =>
      read(await this.#call(typeof body === 'string' ? body : body(), signal, meter));
    return retryPatiently(attempt, { isRetryable: mayPass, pauseMs, tries: attempts, signal, clock });
  }

  async #call(body: string, signal: AbortSignal | undefined, meter?: ModelMeter): Promise<string> {
    const { baseUrl, apiKey, timeoutMs, model } = this.#options;
    meter?.begin?.();
    let reply: unknown;
    const timeoutError = (): Error => new Error(`no answer within ${timeoutMs} ms`);
    const call = callWithin(
      async (inner) => {
        const response = await fetch(`${withoutEnd(baseUrl, '/')}/chat/completions`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          },
          body,
          signal: inner,
        });
        if (!response.ok)
          throw new Refusal(response.status, (await response.text()).slice(0, 500), response.headers);
        reply = await response.json();
        return contentOf(reply);
      },
      { signal, timeoutMs, timeoutError },
    );
    return call.finally(() => meter?.count({ model, ...tokensOf(reply, body) }));
  }
}

function tokensOf(reply: unknown, body: string): Omit<ModelUsage, 'model'> {
  const usage = readMember(reply, 'usage');
  const [prompt, completion] = ['prompt_tokens', 'completion_tokens'].map((name) => readMember(usage, name));
  if (typeof prompt === 'number' && typeof completion === 'number')
    return { promptTokens: prompt, completionTokens: completion };
  // A request that was refused has used nothing.
  const answer = reply === undefined ? 0 : Buffer.byteLength(JSON.stringify(reply));
  return { promptTokens: reply === undefined ? 0 : Buffer.byteLength(body), completionTokens: answer };
}

/** The endpoint said no. */
export class Refusal extends Error {
  readonly status: number;
  /** True if a later try may succeed. */
  readonly isPassing: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, text: string, headers: Headers) {
    super(`status ${status}: ${text}`);
    this.status = status;
    this.isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
  }
}

function mayPass(error: unknown): boolean {
  if (ArtError.isInstance(error)) return false;
  return !(error instanceof Refusal) || error.isPassing;
}

function pauseMs(failures: number, error: unknown): number {
  const askedMs = error instanceof Refusal ? error.retryAfterMs : undefined;
  return Math.min(
    longestPauseMs,
    askedMs ?? growingPauseMs(failures, { firstMs: 500, longestMs: longestPauseMs }),
  );
}

/** Refuses an answer that was cut off, filtered or broken: it might have said something else. */
const cutReasons = new Set([
  'length',
  'max_tokens',
  'content_filter',
  'error',
  'abort',
  'tool_calls',
  'function_call',
]);

function contentOf(reply: unknown): string {
  const choices = readMember(reply, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const error = readMember(reply, 'error') ?? readMember(choice, 'error');
  if (error !== undefined && error !== null)
    throw new Error(`an error: ${JSON.stringify(error).slice(0, 500)}`);
  const reason = readMember(choice, 'finish_reason');
  if (cutReasons.has(String(reason))) throw new Error(`an answer that ended with ${String(reason)}`);
  const content = readMember(readMember(choice, 'message'), 'content');
  if (typeof content !== 'string' || content.trim() === '') throw new Error('an answer without a text');
  return content;
}
