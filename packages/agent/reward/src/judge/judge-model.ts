import {
  describeThrown,
  isJsonObject,
  type OptionRules,
  optional,
  anyObject,
  type ReadOptions,
  unchecked,
} from '@art/ground';
import { createHash } from 'node:crypto';
import { judgeFailed } from '../judge-failed.ts';
import { lastJsonIn } from '../json/last-json-in.ts';
import { ChatModel, type ChatModelOptions, chatModelRules } from './chat-model.ts';

export interface JudgeModelOptions extends Omit<ChatModelOptions, 'params'> {
  /** Further fields of the request, such as `temperature` or `seed`. @default { temperature: 0 } */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Answers by a digest of what was asked; a Map, or anything like it that keeps them longer. @default a Map of its own */
  cache?: JudgeCache | undefined;
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
  ...chatModelRules,
  params: optional(anyObject<Readonly<Record<string, unknown>>>(), { temperature: 0 }),
  cache: unchecked(),
} satisfies OptionRules<JudgeModelOptions>;

/** Asks a model and reads its answer as JSON. */
export class JudgeModel {
  readonly #options: ReadOptions<typeof judgeModelRules>;
  readonly #model: ChatModel;
  readonly #cache: JudgeCache;

  constructor({ cache, ...options }: ReadOptions<typeof judgeModelRules>) {
    this.#options = { ...options, cache };
    this.#model = new ChatModel(options);
    this.#cache = cache ?? new Map<string, string>();
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
    const body = this.#body(question);
    const key = createHash('sha256').update(`${this.#options.baseUrl}\n${body}`).digest('hex');
    const kept = await this.#cache.get(key);
    if (kept !== undefined) return read(answerObject(kept));
    try {
      return await this.#model.ask(
        body,
        async (text) => {
          const value = read(answerObject(text));
          await this.#cache.set(key, text);
          return value;
        },
        signal,
      );
    } catch (error) {
      signal?.throwIfAborted();
      return judgeFailed(
        `an answer of the judge ${this.#options.model}`,
        describeThrown(error).message,
        error,
      );
    }
  }

  #body({ system, user, schema }: JudgeQuestion): string {
    return this.#model.body(
      [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      { response_format: { type: 'json_schema', json_schema: { name: 'judgement', strict: true, schema } } },
    );
  }
}

/** Servers that know no schemas put words around the JSON. */
function answerObject(text: string): Record<string, unknown> {
  const value = lastJsonIn(text);
  if (isJsonObject(value)) return value;
  throw new Error(`an answer without JSON: ${text.slice(0, 200)}`);
}
