import { describeThrown } from '@art/ground';
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  apiErrorBody,
  type EngineReply,
  type EngineRequest,
  type EngineTransport,
  noRoomFor,
  overflowCode,
} from '@art/gateway/engine-port';
import { streamedReply, wholeReply } from '../answers/chat-reply.ts';
import { type AnswerReader, readSampledAnswer } from '../answers/read-answer.ts';
import { badCall, toApiError } from '../calls/call-errors.ts';
import { type ChatCall, readChatCall } from '../calls/chat-call.ts';
import type { SampledAnswer, TokenSampler } from '../token-sampler.ts';

export interface ChatFrontDeps extends AnswerReader {
  sampler: TokenSampler;
  defaultMaxTokens: number;
}

/**
 * Token in, token out: renders a chat call to token ids, has a service continue them, and answers in vLLM's chat shape. As vLLM
 * it takes prompts that are tokens already, and answers `/tokenize`.
 */
export class ChatFront implements EngineTransport {
  readonly #deps: ChatFrontDeps;

  constructor(deps: ChatFrontDeps) {
    this.#deps = deps;
  }

  async send(request: EngineRequest): Promise<EngineReply> {
    const path = request.path.split('?')[0] ?? '';
    try {
      if (request.method === 'POST' && path.endsWith('/chat/completions')) return await this.#chat(request);
      if (request.method === 'POST' && path === '/tokenize') return await this.#tokenize(request);
      return jsonReply(404, '{"detail":"Not Found"}');
    } catch (error) {
      const refusal = request.signal.aborted ? undefined : toApiError(error);
      // What is not the call's own fault is thrown: the gateway would ask again for an answer that it gets as one.
      if (refusal === undefined || refusal.failure.status >= 500) throw refusal ?? error;
      return jsonReply(refusal.failure.status, apiErrorBody('chat', refusal.failure));
    }
  }

  /** Ends the render threads. */
  close(): Promise<void> {
    return this.#deps.tokenization.close();
  }

  async #tokenize({ body, signal }: EngineRequest): Promise<EngineReply> {
    const { conversation } = readChatCall(body);
    const tokens = Array.from(await this.#deps.tokenization.render(conversation, signal));
    return jsonReply(200, JSON.stringify({ count: tokens.length, tokens }));
  }

  async #chat(request: EngineRequest): Promise<EngineReply> {
    const { signal } = request;
    const call = readChatCall(request.body);
    const { tokenization } = this.#deps;
    const prompt = call.promptIds ?? Array.from(await tokenization.render(call.conversation, signal));
    const maxTokens = this.#maxTokens(call, prompt.length, request);
    const sampled =
      maxTokens === 0
        ? Array.from({ length: call.sampling.samples }, () => noAnswer)
        : await this.#sample({ ...call.sampling, prompt, maxTokens }, signal);
    const answers = sampled.map((answer) => readSampledAnswer(this.#deps, call, prompt, answer));
    const reply = {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(Date.now() / 1_000),
      call,
      prompt,
      answers,
      tokenText: (id: number) => tokenization.tokenText(id),
    };
    const illFormed = answers.flatMap((answer, index) => (answer.illFormed ? [index] : []));
    const notes = { illFormedChoices: new Set(illFormed) };
    return call.stream
      ? { ...eventsReply(streamedReply(reply)), notes }
      : { ...jsonReply(200, wholeReply(reply)), notes };
  }

  async #sample(
    request: Parameters<TokenSampler['sample']>[0],
    signal: AbortSignal,
  ): Promise<readonly SampledAnswer[]> {
    let sampled: readonly SampledAnswer[];
    try {
      sampled = await this.#deps.sampler.sample(request, signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      const message = `The service did not sample: ${describeThrown(cause).message}`;
      throw new ApiError({ status: 502, message, code: 'sampling_failed' }, cause);
    }
    if (sampled.length === request.samples) return sampled;
    const message = `Expected ${request.samples} answers of the service, got ${sampled.length}.`;
    throw new ApiError({ status: 502, message, code: 'sampling_failed' });
  }

  /**
   * 0 where the prompt leaves no room and that is to be an answer that ends for its length.
   * @throws ApiError 400 where the prompt leaves no room, or the call asks for less than the service gives
   */
  #maxTokens(
    { sampling }: ChatCall,
    promptTokens: number,
    { maxContextTokens: sessionBound = Infinity, whenFull }: EngineRequest,
  ): number {
    const { sampler, defaultMaxTokens } = this.#deps;
    const { maxContext = Infinity, minSampleTokens = 1 } = sampler;
    const bound = Math.min(maxContext, sessionBound);
    const { maxTokens = Math.max(defaultMaxTokens, minSampleTokens) } = sampling;
    if (!(maxTokens >= minSampleTokens)) {
      throw badCall(`Expected max_tokens to be at least ${minSampleTokens}, got ${maxTokens}.`, 'max_tokens');
    }
    const room = bound - promptTokens;
    if (room >= minSampleTokens) return Math.min(maxTokens, room);
    if (whenFull === 'length') return 0;
    const message = noRoomFor(promptTokens, bound);
    throw new ApiError({ status: 400, message, param: 'messages', code: overflowCode });
  }
}

const noAnswer: SampledAnswer = { tokens: [], logprobs: [], stopReason: 'length' };

function jsonReply(status: number, body: string): EngineReply {
  return { status, headers: { 'content-type': 'application/json' }, body: once(body) };
}

function eventsReply(events: string): EngineReply {
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body: once(events) };
}

async function* once(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}
