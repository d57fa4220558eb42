import { isJsonObject } from '@art/protocol';
import { type ApiError, isMissingRoute } from '@art/gateway/engine-port';
import { writeObject } from '@art/json-bytes';

import { engineFault, noEngineParser } from '../calls/call-errors.ts';
import { type CalledEngine, type EngineAnswer, tokenIdsJson } from '../calls/called-engine.ts';
import { type CallContext, refuseForcedTool } from '../calls/chat-call.ts';
import { parseEngineJson, readEngineMessage } from '../calls/read-body.ts';
import { nothingSaid, type ParsedTurn } from '../parsers/parsed-turn.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';
import { stopTexts } from '../sampling/sampling-params.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import { DerenderStream, sampledChoice } from './derender-stream.ts';
import type { AnswerStream, TurnReader } from './turn-reader.ts';
import { cutAtStopText, keepsStopToken, withoutStopToken } from './turn-text.ts';

const route = '/chat/completions/derender';
const noStops: ReadonlySet<number> = new Set();

interface Derendered {
  parsed: ParsedTurn;
  /** What ended the answer, where the engine says so. */
  endedBy: unknown;
}

/**
 * Has vLLM take answers apart on `/v1/chat/completions/derender`, with the tool and reasoning parsers that it was started
 * with. vLLM has it since 0.24; after 0.29 only where it is started with `--enable-scale-out`.
 */
export class DerenderReader implements TurnReader {
  readonly #otherwise: TurnReader | undefined;
  /** What is known of the engines that were asked for the route. */
  readonly #known = new Map<string, 'lacks it' | 'takes whole answers' | 'streams, perhaps'>();

  /** @param otherwise reads the answers of engines without the route; without it their calls are refused */
  constructor(otherwise?: TurnReader) {
    this.#otherwise = otherwise;
  }

  async prepare({ engine, call }: CallContext): Promise<void> {
    const { baseUrl } = engine;
    if (!this.#known.has(baseUrl)) {
      // Not by GET: it gets 405 where the route is, and also where vLLM 0.32 has it switched off.
      const isMissing = isMissingRoute(await askDerender(engine, '{}'));
      this.#known.set(baseUrl, isMissing ? 'lacks it' : 'streams, perhaps');
    }
    if (!this.#lacks(engine)) return;
    if (this.#otherwise === undefined) throw noRoute();
    refuseForcedTool(call);
  }

  openStream(context: CallContext): Promise<AnswerStream | undefined> {
    const { engine } = context;
    if (this.#lacks(engine)) return this.#otherwise?.openStream(context) ?? Promise.resolve(undefined);
    if (this.#known.get(engine.baseUrl) === 'takes whole answers') return Promise.resolve(undefined);
    return Promise.resolve(
      new DerenderStream(context, {
        ask: (body) => askDerender(engine, body),
        isOnlyWay: () => this.#known.set(engine.baseUrl, 'takes whole answers'),
        read: (turn) => this.read(turn, context),
      }),
    );
  }

  async read(turn: SampledTurn, context: CallContext): Promise<ParsedTurn> {
    const { finish } = turn;
    const keepsStop = keepsStopToken(context.promptIds);
    const ids = keepsStop ? Int32Array.from(turn.ids) : withoutStopToken(turn.ids, finish, noStops);
    const { parsed, endedBy } = await this.#derender(ids, turn, context);
    const stops = stopTexts(context.call);
    const isStopKept = context.call.value('include_stop_str_in_output') === 'true';
    if (finish?.reason !== 'stop' || stops.length === 0 || isStopKept) return parsed;
    const cut = {
      ...parsed,
      content: cutAtStopText(parsed.content, stops),
      reasoning: cutAtStopText(parsed.reasoning, stops),
    };
    const wasText = cut.content !== parsed.content || cut.reasoning !== parsed.reasoning;
    const isKnown = wasText || endedBy !== undefined || finish.matched !== undefined;
    if (isKnown || keepsStop || ids.length < 2) return cut;
    // Neither the engine nor the text says what ended it, so it was the model's own end of turn, which is no text.
    return (await this.#derender(ids.slice(0, -1), turn, context)).parsed;
  }

  #lacks({ baseUrl }: CalledEngine): boolean {
    return this.#known.get(baseUrl) === 'lacks it';
  }

  async #derender(ids: Int32Array, turn: SampledTurn, context: CallContext): Promise<Derendered> {
    const { engine } = context;
    // The engine refuses an answer without tokens.
    if (ids.length === 0) return { parsed: nothingSaid, endedBy: undefined };
    if (!this.#lacks(engine)) {
      const answer = await askDerender(engine, derenderBody(ids, turn.finish, context));
      if (answer.status === 200) return readMessage(answer.body);
      if (!isMissingRoute(answer)) throw derenderFailed(answer.status, answer.body.toString());
      this.#known.set(engine.baseUrl, 'lacks it');
    }
    if (this.#otherwise !== undefined) {
      return { parsed: await this.#otherwise.read(turn, context), endedBy: 'known' };
    }
    throw noRoute();
  }
}

function askDerender(engine: CalledEngine, body: string): Promise<EngineAnswer> {
  return engine.ask(engine.apiPath + route, body);
}

function derenderBody(ids: Int32Array, finish: SampleFinish | undefined, context: CallContext): string {
  const { call, promptIds, requestId } = context;
  const response = writeObject([
    ['request_id', JSON.stringify(requestId)],
    // Tells the parser whether the prompt has opened the reasoning.
    ['prompt_token_ids', tokenIdsJson(promptIds)],
    ['choices', sampledChoice(ids, finish?.reason ?? 'stop')],
  ]);
  return writeObject([
    ['model', call.model === '' ? undefined : JSON.stringify(call.model)],
    ['generate_response', response],
    ['prompt_tokens', String(promptIds.length)],
    ['chat_request', call.text()],
  ]);
}

function readMessage(body: Buffer): Derendered {
  const reply = parseEngineJson(body.toString());
  const choices: readonly unknown[] =
    isJsonObject(reply) && Array.isArray(reply['choices']) ? reply['choices'] : [];
  const choice = isJsonObject(choices[0]) ? choices[0] : {};
  const parsed = readEngineMessage(choice['message']);
  if (parsed === undefined) throw derenderFailed(200, body.toString());
  return { parsed, endedBy: choice['stop_reason'] ?? undefined };
}

function noRoute(): ApiError {
  return noEngineParser(
    `Expected the engine to take answers apart on /v1${route}, and it has no such route. It takes vLLM 0.24 or newer, after ` +
      '0.29 started with --enable-scale-out.',
  );
}

function derenderFailed(status: number, text: string): ApiError {
  const message = `The engine did not take its answer apart on ${route} (${status}): ${text.slice(0, 300)}`;
  return engineFault(message, 'derender_failed');
}
