import { isJsonObject } from '@art/protocol';
import type { ApiError } from '@art/gateway/engine-port';
import { writeObject } from '@art/json-bytes';

import { engineFault } from '../calls/call-errors.ts';
import { type EngineAnswer, tokenIdsJson } from '../calls/called-engine.ts';
import type { CallContext } from '../calls/chat-call.ts';
import { parseEngineJson } from '../calls/read-body.ts';
import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnDelta } from '../parsers/turn-stream.ts';
import { SampledTurn } from '../sampling/sampled-turn.ts';
import { stopTexts } from '../sampling/sampling-params.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import { StreamedMessage } from './streamed-message.ts';
import type { AnswerStream } from './turn-reader.ts';
import { keepsStopToken } from './turn-text.ts';

/** How far an engine has been asked about an answer. */
type Progress =
  | { kind: 'fresh' }
  /**
   * It tells deltas. `carried` is its own state, which it wants back with the next tokens; parsers begin again from the prompt
   * each time, which plain text does not.
   */
  | { kind: 'telling'; carried: string; isPlain: boolean }
  /** It reads whole answers only. */
  | { kind: 'waiting' };

/** What to do where the engine cannot stream. */
export interface WholeReading {
  /** Asks the route. */
  ask(body: string): Promise<EngineAnswer>;
  /** Told that it is so. */
  isOnlyWay(): void;
  read(turn: SampledTurn): Promise<ParsedTurn>;
}

/**
 * Has vLLM take an answer apart while it is sampled, on its derender route with `stream`: for plain text since 0.27, with
 * parsers in the releases after 0.29. Engines that cannot are asked once the answer is whole.
 */
export class DerenderStream implements AnswerStream {
  readonly #context: CallContext;
  readonly #whole: WholeReading;
  readonly #message: StreamedMessage;
  #progress: Progress = { kind: 'fresh' };
  readonly #all: number[] = [];
  /** How many of them the engine has seen. */
  #sent = 0;
  #underWay: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(context: CallContext, whole: WholeReading) {
    this.#context = context;
    this.#whole = whole;
    this.#message = new StreamedMessage(stopTexts(context.call));
  }

  /**
   * Waits for the engine the first time only: after that what has come by now is given out, so that the sampling of tokens
   * does not wait for their reading. Tokens that come meanwhile go together.
   */
  async push(ids: readonly number[]): Promise<TurnDelta> {
    this.#all.push(...ids);
    // The last token may be the one that ends the answer, which is not text.
    const known = this.#all.length - 1;
    if (this.#progress.kind === 'waiting' || known <= this.#sent) return this.#message.take();
    if (this.#progress.kind === 'fresh') await this.#ask(known, undefined);
    else {
      this.#underWay ??= this.#ask(known, undefined)
        .catch((error: unknown) => {
          this.#failure = error instanceof Error ? error : failed(String(error));
        })
        .finally(() => {
          this.#underWay = undefined;
        });
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#message.take();
  }

  async finish(finish: SampleFinish | undefined): Promise<TurnDelta & { parsed: ParsedTurn }> {
    await this.#underWay;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#progress.kind === 'telling') {
      await this.#ask(this.#end(finish), finish?.reason ?? 'stop');
      return this.#message.finish(finish);
    }
    // Nothing was said so far: the answer was too short, or the engine reads whole ones only.
    const turn = new SampledTurn();
    turn.add({ ids: this.#all, logprobs: undefined, finish });
    const parsed = await this.#whole.read(turn);
    return { content: parsed.content ?? '', reasoning: parsed.reasoning ?? '', parsed };
  }

  // Where a text may have ended it, the last token is a part of the answer as well as not.
  #end(finish: SampleFinish | undefined): number {
    const endedByToken = finish?.reason === 'stop' && finish.matched === this.#all.at(-1);
    return endedByToken && !keepsStopToken(this.#context.promptIds) ? this.#all.length - 1 : this.#all.length;
  }

  async #ask(upTo: number, finishReason: string | undefined): Promise<void> {
    const fresh = Int32Array.from(this.#all.slice(this.#sent, upTo));
    const { status, body } = await this.#whole.ask(this.#body(fresh, finishReason));
    const text = body.toString();
    if (status !== 200) {
      // Why is found out, and told, when the whole answer is read.
      if (this.#progress.kind === 'fresh' && status >= 400 && status <= 501) {
        this.#progress = { kind: 'waiting' };
        this.#whole.isOnlyWay();
        return;
      }
      throw failed(`${status}: ${text.slice(0, 300)}`);
    }
    const value = parseEngineJson(text);
    const chunk = isJsonObject(value) ? value['chunk'] : undefined;
    if (!isJsonObject(value) || !isJsonObject(chunk)) throw failed(text.slice(0, 300));
    this.#sent = upTo;
    const state = value['stream_state'];
    const replayed = isJsonObject(state) ? state['output_token_ids'] : undefined;
    const isPlain = !Array.isArray(replayed) || replayed.length === 0;
    this.#progress = { kind: 'telling', carried: JSON.stringify(state ?? null), isPlain };
    this.#message.add(chunk);
  }

  #body(fresh: Int32Array, finishReason: string | undefined): string {
    const { call, promptIds, requestId } = this.#context;
    const progress = this.#progress;
    // A long prompt need not go along with each token.
    const isAlone = progress.kind === 'telling' && progress.isPlain;
    const needsPrompt = !isAlone || call.value('skip_special_tokens') !== undefined;
    return writeObject([
      ['model', call.model === '' ? undefined : JSON.stringify(call.model)],
      ['stream', 'true'],
      [
        'generate_chunk',
        `{"request_id":${JSON.stringify(requestId)},"choices":${sampledChoice(fresh, finishReason ?? null)}}`,
      ],
      ['stream_state', progress.kind === 'telling' ? progress.carried : 'null'],
      ['prompt_tokens', String(promptIds.length)],
      ['prompt_token_ids', needsPrompt ? tokenIdsJson(promptIds) : undefined],
      ['chat_request', needsPrompt ? call.text() : undefined],
    ]);
  }
}

function failed(what: string): ApiError {
  const message = `The engine broke off taking its answer apart on /chat/completions/derender: ${what}`;
  return engineFault(message, 'derender_failed');
}

/** The only choice of what is to be taken apart, in a list. */
export function sampledChoice(ids: Int32Array, finishReason: string | null): string {
  return `[{"index":0,"token_ids":${tokenIdsJson(ids)},"finish_reason":${JSON.stringify(finishReason)}}]`;
}
