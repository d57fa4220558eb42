import { ApiError, type EngineReply, type ReplyNotes } from '@art/gateway/engine-port';
import { hasGivenUp } from '@art/model-wires';

import { engineFault, errorBody, jsonReply, once, toApiError } from '../calls/call-errors.ts';
import { EngineRefused } from '../calls/called-engine.ts';
import type { CallContext } from '../calls/chat-call.ts';
import { givenUp } from '../calls/read-body.ts';
import { ReadDeadline } from '../calls/read-deadline.ts';
import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { Prompt } from '../prompts/prompt-source.ts';
import type { Tokenization } from '../prompts/tokenization.ts';
import { SampledTurn } from '../sampling/sampled-turn.ts';
import { stopIds } from '../sampling/sampling-params.ts';
import type { SamplePart, SampleTask, TokenSampler } from '../sampling/token-sampler.ts';
import {
  type AnswerChoice,
  answerMessage,
  type ChatAnswer,
  newToolCallId,
  writeChatAnswer,
} from './chat-answer.ts';
import { ChatChunks } from './chat-chunks.ts';
import type { AnswerStream, TurnReader } from './turn-reader.ts';

/** What every exchange of a transport works with. */
export interface ChatExchangeParts {
  sampler: TokenSampler;
  tokenization: Tokenization;
  reader: TurnReader;
  toolCallParser: string | undefined;
  readTimeoutMs: number;
}

/** One call from its prompt to its answer. */
export class ChatExchange {
  readonly #parts: ChatExchangeParts;
  readonly #context: CallContext;
  readonly #prompt: Prompt;
  readonly #head: ChatAnswer['head'];
  readonly #chunks: ChatChunks;
  readonly #turns: readonly SampledTurn[];
  readonly #illFormed = new Set<number>();
  readonly #notes: ReplyNotes = { illFormedChoices: this.#illFormed };
  #isAborted = false;

  constructor(parts: ChatExchangeParts, context: CallContext, prompt: Prompt) {
    const { call, requestId } = context;
    this.#parts = parts;
    this.#context = context;
    this.#prompt = prompt;
    this.#head = { id: requestId, created: Math.floor(Date.now() / 1_000), model: call.model };
    this.#chunks = new ChatChunks(this.#head, (id) => parts.tokenization.tokenText(id));
    this.#turns = Array.from({ length: call.choiceCount }, () => new SampledTurn());
  }

  /** The context is full before anything is sampled. */
  async full(): Promise<EngineReply> {
    for (const turn of this.#turns) turn.finish = { reason: 'length' };
    return this.#wholeReply(await this.#answer(this.#context));
  }

  async run(maxTokens: number): Promise<EngineReply> {
    const { sampler, reader, readTimeoutMs } = this.#parts;
    const { call, engine } = this.#context;
    const deadline = new ReadDeadline(engine.signal, readTimeoutMs);
    let handedOver = false;
    let isDone = false;
    // Also where nobody ever reads the stream that is handed over.
    const onAbort = (): void => {
      deadline.end();
      this.#abort();
    };
    engine.signal.addEventListener('abort', onAbort, { once: true });
    const end = (isComplete: boolean): void => {
      deadline.end();
      engine.signal.removeEventListener('abort', onAbort);
      if (!isComplete) this.#abort();
    };
    try {
      const context = { ...this.#context, engine: engine.within(deadline.signal) };
      // Several answers are told once all of them are whole.
      const isAlone = call.stream && call.choiceCount === 1;
      const text = isAlone ? await reader.openStream(context) : undefined;
      const { rendered } = this.#prompt;
      const task: SampleTask = { ...context, rendered, maxTokens, stream: text !== undefined };
      const sampled = await sampler.sample(task);
      const parts = sampled[Symbol.asyncIterator]();
      // The status depends on what comes first: an engine may accept a call and then give it up.
      await this.#next(parts, deadline);
      if (text !== undefined) {
        handedOver = true;
        return this.#noted(sseReply(this.#stream(parts, deadline, text, end)));
      }
      while (await this.#next(parts, deadline));
      isDone = true;
      return this.#wholeReply(await this.#answer(context));
    } catch (error) {
      if (error instanceof EngineRefused) isDone = true;
      if (!deadline.isOver) throw error;
      throw timedOut(readTimeoutMs, error);
    } finally {
      if (!handedOver) end(isDone);
    }
  }

  async #next(parts: AsyncIterator<SamplePart>, deadline: ReadDeadline): Promise<boolean> {
    const { done, value } = await parts.next();
    deadline.refresh();
    if (done === true) return false;
    const turn = this.#turns[value.choice ?? 0];
    if (turn === undefined) throw unaskedChoice(value.choice ?? 0, this.#turns.length);
    turn.add(value);
    const { finish } = turn;
    if (hasGivenUp(finish?.reason)) throw givenUp(finish?.message);
    return true;
  }

  async *#stream(
    parts: AsyncIterator<SamplePart>,
    deadline: ReadDeadline,
    text: AnswerStream,
    end: (isComplete: boolean) => void,
  ): AsyncGenerator<Uint8Array, void> {
    const chunks = this.#chunks;
    const [turn = new SampledTurn()] = this.#turns;
    let from = 0;
    let isDone = false;
    try {
      yield Buffer.from(chunks.opening(this.#prompt.ids, 1));
      for (let more = true; more; more = await this.#next(parts, deadline)) {
        if (turn.ids.length === from) continue;
        const delta = await text.push(turn.ids.slice(from));
        yield Buffer.from(chunks.delta({ turn }, delta, from, turn.ids.length));
        from = turn.ids.length;
      }
      const { parsed, ...rest } = await text.finish(turn.finish);
      const answer = this.#complete([parsed]);
      isDone = true;
      yield Buffer.from(chunks.ending(answer, rest));
    } catch (error) {
      const refusal = deadline.isOver ? timedOut(this.#parts.readTimeoutMs, error) : toApiError(error);
      if (refusal === undefined) throw error;
      yield Buffer.from(`data: ${errorBody(refusal)}\n\n`);
    } finally {
      end(isDone);
      await parts.return?.();
    }
  }

  async #answer(context: CallContext): Promise<ChatAnswer> {
    const { reader } = this.#parts;
    return this.#complete(await Promise.all(this.#turns.map((turn) => reader.read(turn, context))));
  }

  #complete(parsed: readonly ParsedTurn[]): ChatAnswer {
    const choices = parsed.map((said, index): AnswerChoice => {
      if (said.illFormed) this.#illFormed.add(index);
      return {
        index,
        turn: this.#turns[index] ?? new SampledTurn(),
        parsed: said,
        toolCalls: said.toolCalls.map((call) => ({
          id: call.id ?? newToolCallId(this.#parts.toolCallParser),
          type: 'function',
          function: { name: call.name, arguments: call.arguments },
        })),
      };
    });
    // Each of them may be the one that the agent goes on from.
    for (const choice of choices) {
      const { ids, finish } = choice.turn;
      const last = ids.at(-1);
      const isOwnEnd = finish?.reason === 'stop' && finish.matched === last;
      this.#prompt.answered({
        completion: Int32Array.from(ids),
        reply: JSON.stringify(answerMessage(choice)),
        isClosed: isOwnEnd && last !== undefined && !stopIds(this.#context.call).includes(last),
      });
    }
    return {
      head: this.#head,
      call: this.#context.call,
      promptIds: this.#prompt.ids,
      choices,
      tokenText: (id) => this.#parts.tokenization.tokenText(id),
    };
  }

  #wholeReply(answer: ChatAnswer): EngineReply {
    if (!this.#context.call.stream) return this.#noted(jsonReply(200, writeChatAnswer(answer)));
    return this.#noted(sseReply(once(Buffer.from(this.#chunks.whole(answer)))));
  }

  #noted(reply: EngineReply): EngineReply {
    return { ...reply, notes: this.#notes };
  }

  #abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    // The engine stops at the end of the answer at the latest: that it could not be told is nobody's error.
    this.#parts.sampler.abort?.(this.#context).catch(() => undefined);
  }
}

function sseReply(body: AsyncIterable<Uint8Array>): EngineReply {
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
}

function unaskedChoice(index: number, asked: number): ApiError {
  const text = `Expected ${asked} answers of the engine, got one with the index ${index}.`;
  return engineFault(text, 'engine_bad_reply');
}

function timedOut(timeoutMs: number, cause: unknown): ApiError {
  const message = `The engine sent nothing for ${timeoutMs} ms.`;
  return new ApiError({ status: 504, message, code: 'engine_timeout' }, cause);
}
