import {
  anHttpUrl,
  aNumber,
  anyObject,
  unchecked,
  aText,
  describeThrown,
  isJsonObject,
  optional,
  type OptionRules,
  readMember,
  type ReadOptions,
} from '@art/protocol';
import { createHash } from 'node:crypto';
import { callWithin, type Clock, growingPauseMs, retryPatiently } from '@art/async';
import { judgeFailed } from '../judge-failed.ts';
import { lastJsonIn } from '../json/last-json-in.ts';

export interface JudgeModelOptions {
  /** OpenAI-compatible endpoint, `/v1` included. */
  baseUrl: string;
  model: string;
  /** Sent as Bearer key. @default none */
  apiKey?: string | undefined;
  /** Further fields of the request, such as `temperature` or `seed`. @default { temperature: 0 } */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Longest time of one call. @default 120_000 */
  timeoutMs?: number | undefined;
  /** Calls in all until it is given up. @default 4 */
  attempts?: number | undefined;
  /** Answers by a digest of what was asked; a Map, or anything like it that keeps them longer. @default a Map of its own */
  cache?: JudgeCache | undefined;
  /** Time of the pauses between calls, for tests. @default the system's */
  clock?: Clock | undefined;
}

export interface JudgeCache {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, answer: string): unknown;
}

export interface JudgeQuestion {
  system: string;
  user: string;
  /** JSON schema of the answer. */
  schema: Readonly<Record<string, unknown>>;
}

/** For the tables of the judges. */
export const judgeModelRules = {
  baseUrl: anHttpUrl,
  model: aText,
  apiKey: unchecked(),
  params: optional(anyObject<Readonly<Record<string, unknown>>>(), { temperature: 0 }),
  timeoutMs: optional(aNumber({ above: 0, max: Infinity }), 120_000),
  attempts: optional(aNumber({ min: 1, integer: true }), 4),
  cache: unchecked(),
  clock: unchecked(),
} satisfies OptionRules<JudgeModelOptions>;

const longestPauseMs = 30_000;

/** Asks a model and reads its answer as JSON. Asks again what failed, was refused for the moment, or cannot be read. */
export class JudgeModel {
  readonly #options: ReadOptions<typeof judgeModelRules>;
  readonly #cache: JudgeCache;

  constructor(options: ReadOptions<typeof judgeModelRules>) {
    this.#options = options;
    this.#cache = options.cache ?? new Map<string, string>();
  }

  /**
   * @param read makes a value of the answer; throws where it cannot
   * @throws ArtError `ART_JUDGE_FAILED`; the signal's reason
   */
  async ask<Value>(
    question: JudgeQuestion,
    read: (answer: Record<string, unknown>) => Value,
    signal: AbortSignal | undefined,
  ): Promise<Value> {
    const body = JSON.stringify(this.#request(question));
    const key = createHash('sha256').update(`${this.#options.baseUrl}\n${body}`).digest('hex');
    const kept = await this.#cache.get(key);
    if (kept !== undefined) return read(answerObject(kept));
    const { attempts, clock } = this.#options;
    const attempt = async (): Promise<Value> => {
      const text = await this.#call(body, signal);
      const value = read(answerObject(text));
      await this.#cache.set(key, text);
      return value;
    };
    try {
      return await retryPatiently(attempt, { isRetryable: mayPass, pauseMs, tries: attempts, signal, clock });
    } catch (error) {
      signal?.throwIfAborted();
      return judgeFailed(
        `an answer of the judge ${this.#options.model}`,
        describeThrown(error).message,
        error,
      );
    }
  }

  #request({ system, user, schema }: JudgeQuestion): Record<string, unknown> {
    return {
      model: this.#options.model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      ...this.#options.params,
      response_format: { type: 'json_schema', json_schema: { name: 'judgement', strict: true, schema } },
    };
  }

  #call(body: string, signal: AbortSignal | undefined): Promise<string> {
    const { baseUrl, apiKey, timeoutMs } = this.#options;
    const timeoutError = (): Error => new Error(`no answer within ${timeoutMs} ms`);
    return callWithin(
      async (inner) => {
        const reply = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          },
          body,
          signal: inner,
        });
        if (!reply.ok) throw new Refusal(reply.status, (await reply.text()).slice(0, 500), reply.headers);
        const content = contentOf(await reply.json());
        if (content === undefined) throw new Error('an answer without a text');
        return content;
      },
      { signal, timeoutMs, timeoutError },
    );
  }
}

/** The endpoint said no. */
class Refusal extends Error {
  /** Whether it may be another time. */
  readonly isPassing: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, text: string, headers: Headers) {
    super(`status ${status}: ${text}`);
    this.isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
  }
}

function mayPass(error: unknown): boolean {
  return !(error instanceof Refusal) || error.isPassing;
}

function pauseMs(failures: number, error: unknown): number {
  const askedMs = error instanceof Refusal ? error.retryAfterMs : undefined;
  return Math.min(
    longestPauseMs,
    askedMs ?? growingPauseMs(failures, { firstMs: 500, longestMs: longestPauseMs }),
  );
}

function contentOf(reply: unknown): string | undefined {
  const choices = readMember(reply, 'choices');
  const content = readMember(
    readMember(Array.isArray(choices) ? choices[0] : undefined, 'message'),
    'content',
  );
  return typeof content === 'string' ? content : undefined;
}

/** Servers that know no schemas put words around the JSON. */
function answerObject(text: string): Record<string, unknown> {
  const value = lastJsonIn(text);
  if (isJsonObject(value)) return value;
  throw new Error(`an answer without JSON: ${text.slice(0, 200)}`);
}
