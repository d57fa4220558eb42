import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import {
  scaleOutIsOff,
  vllmChat,
  vllmError,
  vllmGenerate,
  vllmGenerateEvent,
  vllmGenerateUsage,
  vllmRendered,
  type VllmGenerateChoice,
} from '@art/tooling/vllm-shapes';
import { viewOf } from './mock-engine-view.fixture.ts';

/** Ends a turn. All other ids are code points. */
export const endOfTurn = 3;
const endOfTurnText = '<|end|>';

/** Which of vLLM's scale-out routes it has, and in which state. */
export interface MockRenderEngineOptions {
  /** @default 'request' */
  render?: 'none' | 'request';
  /** `plain stream`: as 0.27 without parsers. @default 'whole' */
  derender?: 'none' | 'whole' | 'stream' | 'plain stream';
  /** Says what ended an answer, as the newest releases do. @default false */
  tellsStopReason?: boolean;
  /** Has the routes switched off, as 0.32 without `--enable-scale-out`. @default false */
  isScaleOutOff?: boolean;
}

/** What is sampled for a choice. */
export interface MockSampled {
  ids: number[];
  finish?: string;
  /** What ended it, for engines that tell. */
  stopReason?: string | number;
}

export interface MockRenderEngine {
  url: string;
  calls: { method: string; path: string; body: Record<string, unknown>; headers: IncomingHttpHeaders }[];
  /** What the model says, choice by choice. */
  answer: (promptIds: number[], choice: number) => MockSampled;
  /** Replies of routes that are to be others than usual, by path. */
  refusals: Map<string, { status: number; body: unknown }>;
  /** Streams of tokens that have left as a whole. */
  streamed: number;
  /** Holds back the replies of the derender route until it resolves. */
  derenderGate: Promise<void>;
  close(): Promise<void>;
}

/** The ids of a text. */
export function idsOf(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

/** vLLM's render, generate and derender routes over a real socket. */
export async function startMockRenderEngine(
  options: MockRenderEngineOptions = {},
): Promise<MockRenderEngine> {
  const { render = 'request', derender = 'whole' } = options;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request);
    const body = (bytes.length === 0 ? {} : JSON.parse(bytes.toString())) as Record<string, unknown>;
    const path = request.url ?? '';
    engine.calls.push({ method: request.method ?? '', path, body, headers: request.headers });
    const send = (status: number, reply: unknown): void => {
      const text = JSON.stringify(reply);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      response.writeHead(status, headers).end(text);
    };
    const sampled = path.endsWith('/generate') ? sample(engine, body, options) : [];
    const routes: Record<string, (() => unknown) | undefined> = {
      '/v1/chat/completions/render': render === 'none' ? undefined : () => renderCall(body),
      '/v1/chat/completions/derender': derender === 'none' ? undefined : () => derenderCall(body, derender),
      '/inference/v1/generate': () => generated(body, sampled),
      '/tokenize': () => ({ tokens: promptOf(body) }),
      '/detokenize': () => ({ prompt: textOf(body['tokens'] as number[]) }),
    };
    const route = routes[path];
    if (route === undefined) return send(404, { detail: 'Not Found' });
    if (request.method !== 'POST') return send(405, { detail: 'Method Not Allowed' });
    if (options.isScaleOutOff === true && !path.endsWith('tokenize')) return send(403, scaleOutIsOff);
    if (bytes.toString() === '{}') return send(400, missingFields);
    const refusal = engine.refusals.get(path);
    if (refusal !== undefined) return send(refusal.status, refusal.body);
    if (path.endsWith('/derender')) await engine.derenderGate;
    const reply = route();
    if (reply === undefined) {
      return send(400, vllmError(400, 'not supported here', null));
    }
    if (body['stream'] !== true || !path.endsWith('/generate')) return send(200, reply);
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    for (const event of eventsOf(body, sampled)) {
      await write(response, `data: ${JSON.stringify(event)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
    engine.streamed += 1;
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const engine: MockRenderEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: () => ({ ids: [endOfTurn] }),
    refusals: new Map(),
    streamed: 0,
    derenderGate: Promise.resolve(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return engine;
}

interface Said {
  role: string;
  content: string;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

// Each message ends as the model ends its own, and an answer is to follow.
function promptOf({ messages }: Record<string, unknown>): number[] {
  const said = (messages as Said[]).flatMap(({ role, content, tool_calls: calls = [] }) => {
    const called = calls.map(
      (call) => `<tool_call>${call.function.name}(${call.function.arguments})</tool_call>`,
    );
    return [...idsOf(`${role}:${content}${called.join('')}`), endOfTurn, ...idsOf('\n')];
  });
  return [2, ...said, ...idsOf('assistant:')];
}

// In the words of vLLM 0.32, shortened.
const missingFields = {
  error: {
    message: '3 validation errors',
    type: 'Bad Request',
    param: 'body.DerenderChatRequest.generate_response',
    code: 400,
  },
};

function renderCall(body: Record<string, unknown>): unknown {
  const ids = promptOf(body);
  const { n, temperature = 0.6, seed, model } = body as Record<string, number>;
  return vllmRendered(
    { requestId: 'chatcmpl-rendered', model: String(model), tokenIds: ids },
    {
      temperature,
      maxTokens: 1_000,
      logprobs: body['logprobs'] === true,
      ...(n !== undefined && { n }),
      ...(seed !== undefined && { seed }),
      ...(body['tool_choice'] === 'required' && { grammar: 'a call of a tool' }),
    },
  );
}

interface Sampled extends VllmGenerateChoice {
  stopReason: string | number | null;
}

function sample(
  engine: MockRenderEngine,
  body: Record<string, unknown>,
  { tellsStopReason = false }: MockRenderEngineOptions,
): Sampled[] {
  const { n = 1 } = (body['sampling_params'] ?? {}) as { n?: number };
  return Array.from({ length: n }, (_, index) => {
    const { ids, finish = 'stop', stopReason = null } = engine.answer(body['token_ids'] as number[], index);
    return {
      index,
      tokens: ids.map((id, at) => ({ id, text: '', logprob: -(at + 1) / 8 })),
      finishReason: finish,
      tokensSoFar: ids.length,
      stopReason: tellsStopReason ? stopReason : null,
    };
  });
}

function countsOf(body: Record<string, unknown>, sampled: readonly Sampled[]) {
  return {
    promptTokens: (body['token_ids'] as number[]).length,
    completionTokens: sampled.reduce((sum, { tokens }) => sum + tokens.length, 0),
  };
}

function generated(body: Record<string, unknown>, sampled: readonly Sampled[]): unknown {
  const head = { requestId: String(body['request_id']), model: String(body['model']) };
  return withStopReason(vllmGenerate(head, sampled, countsOf(body, sampled)), sampled);
}

function eventsOf(body: Record<string, unknown>, sampled: readonly Sampled[]): object[] {
  const requestId = String(body['request_id']);
  const events = sampled.flatMap((choice) =>
    choice.tokens.map((token, at) => {
      const isLast = at === choice.tokens.length - 1;
      const finishReason = isLast ? choice.finishReason : null;
      const event = vllmGenerateEvent(requestId, {
        ...choice,
        tokens: [token],
        finishReason,
        tokensSoFar: at + 1,
      });
      return isLast ? withStopReason(event, [choice]) : event;
    }),
  );
  const { promptTokens, completionTokens } = countsOf(body, sampled);
  return [...events, vllmGenerateUsage(requestId, promptTokens, completionTokens)];
}

// Releases after 0.32 say it; 0.32 has null there.
function withStopReason(answer: object, sampled: readonly Sampled[]): object {
  const { choices } = answer as { choices: object[] };
  const told = choices.map((choice, at) => ({ ...choice, stop_reason: sampled[at]?.stopReason ?? null }));
  return { ...answer, choices: told };
}

// As the first releases with parsers: what is special stays in the text.
function textOf(ids: readonly number[]): string {
  return ids.map((id) => (id === endOfTurn ? endOfTurnText : String.fromCodePoint(id))).join('');
}

interface GenerateReply {
  request_id: string;
  choices: { index: number; token_ids: number[]; finish_reason: string }[];
}

function derenderCall(body: Record<string, unknown>, mode: MockRenderEngineOptions['derender']): unknown {
  if (body['stream'] === true && mode === 'plain stream') return plainChunk(body);
  if (body['stream'] === true) return mode === 'stream' ? derenderChunk(body) : undefined;
  const { choices, request_id: id } = body['generate_response'] as GenerateReply;
  if (choices.some((choice) => choice.token_ids.length === 0)) return undefined;
  return vllmChat(
    { id, model: String(body['model']) },
    choices.map(({ index, token_ids: tokenIds, finish_reason: finishReason }) => {
      const { content, reasoning, calls } = viewOf(textOf(tokenIds), true);
      return {
        index,
        content: content || null,
        reasoning: reasoning || null,
        toolCalls: calls.map(({ id: callId, function: called }) => ({ id: callId, ...called })),
        logprobs: null,
        finishReason,
        tokenIds,
      };
    }),
    {
      promptTokenIds: null,
      promptTokens: Number(body['prompt_tokens']),
      completionTokens: choices.reduce((sum, { token_ids: ids }) => sum + ids.length, 0),
      isDerendered: true,
    },
  );
}

function plainChunk(body: Record<string, unknown>): unknown {
  const { choices, request_id: id } = body['generate_chunk'] as GenerateReply;
  const [choice] = choices;
  const content = textOf((choice?.token_ids ?? []).filter((token) => token !== endOfTurn));
  const delta = { content: content || null };
  return {
    chunk: { id, choices: [{ index: 0, delta, finish_reason: choice?.finish_reason }] },
    stream_state: { prev_tokens: [content], prefix_offset: 0, read_offset: 1, output_token_ids: [] },
  };
}

function derenderChunk(body: Record<string, unknown>): unknown {
  const { choices, request_id: id } = body['generate_chunk'] as GenerateReply;
  const { output_token_ids: before } = (body['stream_state'] ?? { output_token_ids: [] }) as {
    output_token_ids: number[];
  };
  const [choice] = choices;
  const all = [...before, ...(choice?.token_ids ?? [])];
  const told = viewOf(textOf(before), false);
  const now = viewOf(textOf(all), choice?.finish_reason !== null);
  return {
    chunk: {
      id,
      choices: [
        {
          index: 0,
          delta: {
            content: now.content.slice(told.content.length) || null,
            reasoning: now.reasoning.slice(told.reasoning.length) || null,
            tool_calls: now.calls.slice(told.calls.length).map((call, at) => ({
              index: told.calls.length + at,
              ...call,
            })),
          },
          finish_reason: choice?.finish_reason,
        },
      ],
    },
    stream_state: { output_token_ids: all },
  };
}

// Waits until the bytes are out, so that each event is a chunk of its own.
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => {
      resolve();
    });
  });
}
