import {
  aNumber,
  anHttpUrl,
  anyObject,
  ArtError,
  aText,
  type Clock,
  growingPauseMs,
  jsonIn,
  optional,
  type OptionRules,
  readMember,
  readOptions,
  retryPatiently,
  Semaphore,
  shownUrl,
  systemClock,
} from '@art/ground';
import type { Teacher } from './teacher.ts';

const tries = 6;
const answerWithinMs = 120_000;

/** Where a teacher is, and what it is called there. */
export interface EndpointTeacherOptions {
  /** The address of an API such as OpenAI's, `http://host:8000/v1`. Its `/completions` takes token ids, `echo` and `logprobs`, as vLLM and SGLang do. */
  baseUrl: string;
  model: string;
  /** @default none */
  apiKey?: string | undefined;
  /** Most questions at once. @default 16 */
  concurrency?: number | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

const rules = {
  baseUrl: anHttpUrl,
  model: aText,
  apiKey: optional(aText),
  concurrency: optional(aNumber({ min: 1, integer: true }), 16),
  clock: optional(anyObject<Clock>(), systemClock),
} satisfies OptionRules<EndpointTeacherOptions>;

/**
 * A teacher behind an HTTP endpoint. It takes token ids, so it has the vocabulary of the model that is trained. What fails for a while is tried again.
 * @throws ArtError `ART_INVALID_OPTION`; of a question `ART_TRAIN_TEACHER_FAILED`
 */
export function endpointTeacher(options: EndpointTeacherOptions): Teacher {
  const { baseUrl, model, apiKey, concurrency, clock } = readOptions('endpointTeacher', options, rules);
  const url = `${baseUrl.replace(/\/+$/, '')}/completions`;
  const turns = new Semaphore(concurrency);
  const ask = async (prompt: readonly number[], signal: AbortSignal | undefined): Promise<Answer> => {
    const timeout = AbortSignal.timeout(answerWithinMs);
    const request: RequestInit = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, prompt, echo: true, logprobs: 1, max_tokens: 0, temperature: 1 }),
      // The key goes to the server that was named, and nowhere else.
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    };
    try {
      const response = await fetch(url, request);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      const { cause, message } = error as Error;
      return { status: 0, text: cause instanceof Error ? cause.message : message };
    }
  };
  return {
    logprobs: (tokens, signal) =>
      turns.run(signal, () =>
        retryPatiently(async () => readLogprobs(await ask(tokens, signal), tokens.length, url), {
          isRetryable: (error) =>
            ArtError.isInstance(error) && (error.cause as Answer | undefined)?.isTransient === true,
          pauseMs: (failures) => growingPauseMs(failures, { firstMs: 500, longestMs: 15_000, jitter: 1 }),
          tries,
          signal,
          clock,
        }),
      ),
  };
}

interface Answer {
  /** 0: none came. */
  status: number;
  text: string;
  isTransient?: boolean;
}

function readLogprobs({ status, text }: Answer, count: number, url: string): (number | null)[] {
  const where = shownUrl(url);
  if (status !== 200) {
    const isTransient = status === 0 || status === 408 || status === 429 || status >= 500;
    throw failed(
      `Expected the teacher at ${where} to answer, got ${status === 0 ? '' : `${status}: `}${text.slice(0, 300)}.`,
      { status, text, isTransient },
    );
  }
  const found = tokenLogprobs(text);
  // Some say a token more, although none was asked for.
  if (found !== undefined && (found.length === count || found.length === count + 1))
    return found.slice(0, count).map((logprob) => (typeof logprob === 'number' ? logprob : null));
  throw failed(
    `Expected the teacher at ${where} to give a logprob for each of ${count} tokens, got ${found === undefined ? text.slice(0, 200) : found.length}. Expected is an API whose /completions takes token ids, \`echo\` and \`logprobs\`: that of vLLM or SGLang.`,
  );
}

function tokenLogprobs(text: string): unknown[] | undefined {
  const choices = readMember(jsonIn(text), 'choices');
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const found = readMember(readMember(choice, 'logprobs'), 'token_logprobs');
  return Array.isArray(found) ? found : undefined;
}

function failed(message: string, cause?: Answer): ArtError {
  return new ArtError({ code: 'ART_TRAIN_TEACHER_FAILED', message, cause });
}
