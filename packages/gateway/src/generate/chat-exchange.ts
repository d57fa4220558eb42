import { hasGivenUp } from '../engines/has-given-up.ts';
import type { EngineReply, EngineTransport, ReplyNotes } from '../engines/engine-transport.ts';
import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnParser } from '../parsers/turn-parser.ts';
import { CallRefusal, jsonReply, refusalBody, toRefusal } from './call-refusal.ts';
import { answerMessage, writeChatAnswer, type ChatAnswer } from './chat-answer.ts';
import type { ChatCall } from './chat-call.ts';
import { ChatChunks } from './chat-chunks.ts';
import type { Prompt } from './prompt-source.ts';
import { ReadDeadline } from './read-deadline.ts';
import { SampledTurn } from './sampled-turn.ts';
import { stopIds, stopTexts } from './sampling-params.ts';
import { isRefusal, type SamplePart, type SampleTask, type TokenSampler } from './token-sampler.ts';
import type { EngineAddress, Tokenization } from './tokenization.ts';
import { newToolCallId } from './tool-call-ids.ts';
import { TurnTextStream } from './turn-text-stream.ts';
import { withoutStopText, withoutStopToken } from './turn-text.ts';

/** What every exchange of a transport works with. */
export interface ChatExchangeParts {
  sampler: TokenSampler;
  tokenization: Tokenization;
  parser: TurnParser;
  /** Reaches the engine; calls other than chat go there as they are. */
  http: EngineTransport;
  toolCallParser: string | undefined;
  readTimeoutMs: number;
}

// Enough to hold the mark that opens reasoning.
const promptEndTokens = 16;

/** One call from its prompt to its answer. */
export class ChatExchange {
  readonly isIncremental: boolean;
  readonly #parts: ChatExchangeParts;
  readonly #call: ChatCall;
  readonly #prompt: Prompt;
  readonly #at: EngineAddress;
  readonly #head: ChatAnswer['head'];
  readonly #turn = new SampledTurn();
  readonly #shown: Pick<ChatAnswer, 'turn' | 'tokenText'>;
  readonly #notes: ReplyNotes = { illFormed: false };
  #isAborted = false;

  constructor(
    parts: ChatExchangeParts,
    call: ChatCall,
    prompt: Prompt,
    requestId: string,
    at: EngineAddress,
  ) {
    this.#parts = parts;
    this.#call = call;
    this.#prompt = prompt;
    this.#at = at;
    this.#head = { id: requestId, created: Math.floor(Date.now() / 1_000), model: call.model };
    this.#shown = { turn: this.#turn, tokenText: (id) => parts.tokenization.tokenText(id) };
    const canDecode = parts.tokenization.streamDecoder({}) !== undefined;
    this.isIncremental = canDecode && parts.parser.openStream({ tools: call.tools }) !== undefined;
  }

  /** The context is full before anything is sampled. */
  async full(): Promise<EngineReply> {
    this.#turn.finish = { reason: 'length' };
    return this.#wholeReply(await this.#answer());
  }

  async run(task: SampleTask): Promise<EngineReply> {
    const { sampler, http, readTimeoutMs } = this.#parts;
    const deadline = new ReadDeadline(task.signal, readTimeoutMs);
    const bounded = { ...task, signal: deadline.signal };
    let handedOver = false;
    let isDone = false;
    // Also where nobody ever reads the stream that is handed over.
    const onAbort = (): void => this.#abort(task);
    task.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const sampled = await sampler.sample(bounded, http);
      if (isRefusal(sampled)) {
        isDone = true;
        return { status: sampled.status, headers: replyHeaders(sampled.headers), body: once(sampled.body) };
      }
      const parts = sampled[Symbol.asyncIterator]();
      // The status depends on what comes first: an engine may accept a call and then give it up.
      await this.#next(parts, deadline);
      if (task.stream) {
        handedOver = true;
        return this.#noted(sseReply(this.#stream(parts, deadline, task, onAbort)));
      }
      while (await this.#next(parts, deadline));
      isDone = true;
      return this.#wholeReply(await this.#answer());
    } catch (error) {
      if (!deadline.isOver) throw error;
      throw timedOut(readTimeoutMs, error);
    } finally {
      if (!handedOver) {
        deadline.end();
        task.signal.removeEventListener('abort', onAbort);
        if (!isDone) this.#abort(task);
      }
    }
  }

  async #next(parts: AsyncIterator<SamplePart>, deadline: ReadDeadline): Promise<boolean> {
    const { done, value } = await parts.next();
    deadline.refresh();
    if (done === true) return false;
    this.#turn.add(value);
    const finish = this.#turn.finish;
    if (hasGivenUp(finish?.reason)) throw givenUp(finish?.message);
    return true;
  }

  async *#stream(
    parts: AsyncIterator<SamplePart>,
    deadline: ReadDeadline,
    task: SampleTask,
    onAbort: () => void,
  ): AsyncGenerator<Uint8Array, void> {
    const chunks = new ChatChunks(this.#head);
    const turn = this.#turn;
    let from = 0;
    let isDone = false;
    try {
      const text = await this.#textStream();
      yield Buffer.from(chunks.opening(this.#prompt.ids));
      for (let more = true; more; more = await this.#next(parts, deadline)) {
        if (turn.ids.length === from) continue;
        const delta = text.push(turn.ids.slice(from));
        yield Buffer.from(chunks.delta(this.#shown, delta, from, turn.ids.length));
        from = turn.ids.length;
      }
      const { parsed, ...rest } = text.finish(turn.finish);
      const answer = this.#complete(parsed);
      isDone = true;
      yield Buffer.from(chunks.ending(answer, rest));
    } catch (error) {
      const refusal = deadline.isOver ? timedOut(this.#parts.readTimeoutMs, error) : toRefusal(error);
      if (refusal === undefined) throw error;
      yield Buffer.from(`data: ${refusalBody(refusal)}\n\n`);
    } finally {
      deadline.end();
      task.signal.removeEventListener('abort', onAbort);
      if (!isDone) this.#abort(task);
      await parts.return?.();
    }
  }

  async #textStream(): Promise<TurnTextStream> {
    const { tokenization, parser } = this.#parts;
    const { tools } = this.#call;
    const isParsed = parser.isActiveFor({ tools });
    const context = { tools, promptEnd: isParsed ? await this.#promptEnd() : '' };
    return new TurnTextStream({
      decoder: tokenization.streamDecoder({ skipSpecialTokens: !isParsed }),
      parts: parser.openStream(context),
      stopTexts: stopTexts(this.#call),
      stopTokens: this.#stops(),
      specialTokens: tokenization.specialTokenIds,
    });
  }

  async #answer(): Promise<ChatAnswer> {
    const { parser } = this.#parts;
    const turn = this.#turn;
    const { tools } = this.#call;
    const isParsed = parser.isActiveFor({ tools });
    const ids = withoutStopToken(turn.ids, turn.finish, this.#stops());
    const text = withoutStopText(await this.#text(ids, !isParsed), turn.finish);
    return this.#complete(
      isParsed
        ? parser.parse(text, { tools, promptEnd: await this.#promptEnd() })
        : { content: text === '' ? null : text, reasoning: null, toolCalls: [], illFormed: false },
    );
  }

  #promptEnd(): Promise<string> {
    return this.#text(this.#prompt.ids.slice(-promptEndTokens), false);
  }

  #stops(): ReadonlySet<number> {
    return new Set([...this.#parts.tokenization.stopTokenIds, ...stopIds(this.#call)]);
  }

  #text(ids: Int32Array, skipSpecialTokens: boolean): Promise<string> {
    return this.#parts.tokenization.decode(ids, { skipSpecialTokens }, this.#at);
  }

  #complete(parsed: ParsedTurn): ChatAnswer {
    this.#notes.illFormed = parsed.illFormed;
    const answer: ChatAnswer = {
      head: this.#head,
      call: this.#call,
      promptIds: this.#prompt.ids,
      turn: this.#turn,
      parsed,
      toolCalls: parsed.toolCalls.map((call) => ({
        id: call.id ?? newToolCallId(this.#parts.toolCallParser),
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
      tokenText: this.#shown.tokenText,
    };
    this.#prompt.answered(Int32Array.from(this.#turn.ids), JSON.stringify(answerMessage(answer)));
    return answer;
  }

  #wholeReply(answer: ChatAnswer): EngineReply {
    if (!this.#call.stream) return this.#noted(jsonReply(200, writeChatAnswer(answer)));
    const chunks = new ChatChunks(this.#head);
    const text = chunks.opening(this.#prompt.ids) + chunks.whole(answer);
    return this.#noted(sseReply(once(Buffer.from(text))));
  }

  #noted(reply: EngineReply): EngineReply {
    return { ...reply, notes: this.#notes };
  }

  #abort(task: SampleTask): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    // The engine stops at the end of the answer at the latest: that it could not be told is nobody's error.
    this.#parts.sampler.abort?.(task, this.#parts.http).catch(() => undefined);
  }
}

function sseReply(body: AsyncIterable<Uint8Array>): EngineReply {
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
}

function replyHeaders(headers: EngineReply['headers']): EngineReply['headers'] {
  const kept: Record<string, string | string[]> = {
    'content-type': headers['content-type'] ?? 'application/json',
  };
  if (headers['retry-after'] !== undefined) kept['retry-after'] = headers['retry-after'];
  return kept;
}

function givenUp(message = 'it did not say why'): CallRefusal {
  const text = `The engine gave the answer up: ${message}`;
  return new CallRefusal(text, undefined, undefined, { status: 502, code: 'generation_aborted' });
}

function timedOut(timeoutMs: number, cause: unknown): CallRefusal {
  const message = `The engine sent nothing for ${timeoutMs} ms.`;
  return new CallRefusal(message, undefined, cause, { status: 504, code: 'engine_timeout' });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
