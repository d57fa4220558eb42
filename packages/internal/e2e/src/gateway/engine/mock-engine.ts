import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vllmError, vllmModels } from '@art/tooling/vllm-shapes';
import { buffer } from 'node:stream/consumers';
import type { EngineAnswer, EngineFault } from './engine-answer.ts';
import type { EngineRequest } from './engine-request.ts';
import { promptIds, sampleChoice, type SampledAnswer, type SampledChoice } from './sampled-answer.ts';
import { SeededRandom } from './seeded-random.ts';
import { sglangChat, sglangCompletion, sglangError } from './sglang-replies.ts';
import { vllmChat, vllmCompletion } from './vllm-replies.ts';
import type { ReasoningField } from './chat-parts.ts';

/** A call of the model API, as it arrived and as it was answered. */
export interface EngineCall {
  callNumber: number;
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes as received. */
  body: Buffer;
  request: EngineRequest;
  /** Undefined where the call was refused, or dropped before it was answered. */
  answer: SampledAnswer | undefined;
  /** The bytes of the answer's body. */
  sent: Buffer;
}

export interface MockEngineOptions {
  flavour: 'vllm' | 'sglang';
  /** Seed of ids, logprobs, chunks and splits. @default 1 */
  seed?: number;
  /** Answer of the model. Choices are asked for one by one. */
  answer(request: EngineRequest, callNumber: number, choice: number): EngineAnswer;
  /** Fault in its place. @default nothing */
  fault?(request: EngineRequest, callNumber: number): EngineFault | undefined;
  /** Name of the member that vLLM has reasoning in. @default 'reasoning' */
  reasoningField?: ReasoningField;
  /** True if calls are kept in `calls`. @default true */
  keepCalls?: boolean;
  /** Called with each answer before its first byte leaves. */
  onSampled?(answer: SampledAnswer, request: EngineRequest): void;
}

/**
 * An inference server that speaks the shapes of vLLM or SGLang, over a real socket. It has no weights: what it says is
 * scripted. Its answers leave in pieces that end anywhere, also within a character.
 */
export class MockEngine implements AsyncDisposable {
  /** Oldest first. */
  readonly calls: readonly EngineCall[];
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  constructor(server: ReturnType<typeof createServer>, calls: EngineCall[]) {
    this.#server = server;
    this.calls = calls;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Starts one on a free port of loopback. */
export async function startMockEngine(options: MockEngineOptions): Promise<MockEngine> {
  const calls: EngineCall[] = [];
  const script = new EngineScript(options, calls);
  const server = createServer((request, response) => {
    script.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new MockEngine(server, calls);
}

class EngineScript {
  readonly #options: MockEngineOptions;
  readonly #calls: EngineCall[];
  readonly #seed: number;
  #callCount = 0;

  constructor(options: MockEngineOptions, calls: EngineCall[]) {
    this.#options = options;
    this.#calls = calls;
    this.#seed = options.seed ?? 1;
  }

  async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = message.url ?? '';
    const body = await buffer(message);
    if (message.method === 'GET') return this.#list(path, response);
    const request = tryParse(body);
    const route = routes[this.#options.flavour][path.split('?', 1)[0]!];
    if (path === '/tokenize') return void sendJson(response, 200, this.#tokenize(request ?? {}));
    if (path === '/abort_request') return void sendJson(response, 200, {});
    if (route === undefined) return void sendJson(response, 404, { detail: 'Not Found' });
    await this.#call({ path, body, headers: message.headers, request, route }, response);
  }

  async #call(
    {
      path,
      body,
      headers,
      request,
      route,
    }: {
      path: string;
      body: Buffer;
      headers: IncomingHttpHeaders;
      request: EngineRequest | undefined;
      route: Route;
    },
    response: ServerResponse,
  ): Promise<void> {
    const callNumber = (this.#callCount += 1);
    const call: EngineCall = {
      callNumber,
      path,
      headers,
      body,
      request: request ?? {},
      answer: undefined,
      sent: Buffer.alloc(0),
    };
    if (this.#options.keepCalls !== false) this.#calls.push(call);
    const refuse = (status: number, text: string): void => {
      const write = this.#options.flavour === 'vllm' ? vllmError : sglangError;
      call.sent = sendJson(response, status, write(status, text));
    };
    if (request === undefined) return refuse(400, 'the body is no JSON object');
    if (this.#options.flavour === 'sglang' && request.stream === true && request.return_token_ids === true) {
      if (path.startsWith('/v1/chat')) return refuse(400, 'return_token_ids is not supported with stream');
    }
    const fault = this.#options.fault?.(request, callNumber);
    if (fault?.kind === 'refuse') return refuse(fault.status, fault.message);
    if (fault?.kind === 'drop') {
      response.destroy();
      return;
    }
    call.answer = this.#sample(request, callNumber);
    this.#options.onSampled?.(call.answer, request);
    const reply = route(request, call.answer, this.#seed + callNumber, {
      reasoningField: this.#options.reasoningField ?? 'reasoning',
    });
    const text = Array.isArray(reply)
      ? `${reply.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
      : JSON.stringify(reply);
    call.sent = Buffer.from(text);
    response.setHeader(
      'content-type',
      Array.isArray(reply) ? 'text/event-stream; charset=utf-8' : 'application/json',
    );
    if (!Array.isArray(reply)) response.setHeader('content-length', call.sent.length);
    await this.#write(response, call, fault?.kind === 'cut' ? fault.afterBytes : undefined);
  }

  async #write(response: ServerResponse, call: EngineCall, cutAfter: number | undefined): Promise<void> {
    const random = new SeededRandom(this.#seed, call.callNumber, 99);
    const bytes = cutAfter === undefined ? call.sent : call.sent.subarray(0, cutAfter);
    for (let at = 0; at < bytes.length && !response.destroyed;) {
      const end = Math.min(bytes.length, at + 1 + random.below(Math.max(200, bytes.length / 3)));
      const isTaken = response.write(bytes.subarray(at, end));
      at = end;
      if (!isTaken) await Promise.race([onceOf(response, 'drain'), onceOf(response, 'close')]);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    if (cutAfter === undefined) response.end();
    else response.destroy();
  }

  #sample(request: EngineRequest, callNumber: number): SampledAnswer {
    const ids = givenIds(request, this.#options.flavour);
    const count = request.n ?? 1;
    const choices: SampledChoice[] = [];
    for (let index = 0; index < count; index += 1) {
      const answer = this.#options.answer(request, callNumber, index);
      const choice = sampleChoice(this.#seed, callNumber, index, answer);
      choices.push(choice);
    }
    return { callNumber, promptTokenIds: ids ?? this.#promptIds(request), choices };
  }

  #promptIds({ messages, prompt = '' }: EngineRequest): readonly number[] {
    if (messages !== undefined) return promptIds(this.#seed, messages);
    return typeof prompt === 'string' || typeof prompt[0] === 'string'
      ? promptIds(this.#seed, [prompt])
      : (prompt as readonly number[]);
  }

  #tokenize(request: EngineRequest): unknown {
    const tokens = this.#promptIds(request);
    return { count: tokens.length, max_model_len: 32_768, tokens, token_strs: null };
  }

  #list(path: string, response: ServerResponse): void {
    if (path === '/health') {
      response.end();
      return;
    }
    const model = { id: 'mock-model', object: 'model', owned_by: 'sglang' };
    const isVllm = this.#options.flavour === 'vllm';
    const models = isVllm ? vllmModels('mock-model') : { object: 'list', data: [model] };
    if (path === '/v1/models') sendJson(response, 200, models);
    else sendJson(response, 404, { detail: 'Not Found' });
  }
}

interface Style {
  reasoningField: ReasoningField;
}

type Route = (request: EngineRequest, answer: SampledAnswer, seed: number, style: Style) => unknown;

const routes: Record<'vllm' | 'sglang', Record<string, Route>> = {
  vllm: {
    '/v1/chat/completions': vllmChat,
    '/v1/completions': vllmCompletion,
  },
  sglang: {
    '/v1/chat/completions': sglangChat,
    '/v1/completions': sglangCompletion,
  },
};

/** The prompt's ids where the caller gives them. */
function givenIds(request: EngineRequest, flavour: 'vllm' | 'sglang'): readonly number[] | undefined {
  const onChat = flavour === 'vllm' ? request.kv_transfer_params?.prompt_token_ids : request.input_ids;
  return onChat ?? promptTokens(request);
}

/** A prompt of completions that is token ids. */
function promptTokens({ prompt }: EngineRequest): readonly number[] | undefined {
  return Array.isArray(prompt) && typeof prompt[0] === 'number' ? (prompt as readonly number[]) : undefined;
}

function tryParse(body: Buffer): EngineRequest | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
  return bytes;
}

function onceOf(response: ServerResponse, event: 'drain' | 'close'): Promise<void> {
  return new Promise((resolve) => response.once(event, () => resolve()));
}
