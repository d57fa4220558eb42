import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  scaleOutIsOff,
  vllmCompletion,
  vllmCompletionEvent,
  vllmGenerate,
  vllmGenerateEvent,
  vllmGenerateUsage,
  vllmUsageEvent,
  type VllmCompletionChoice,
  type VllmGenerateChoice,
  type VllmToken,
} from '@art/tooling/vllm-shapes';

/** What the mock engines sample for a prompt. */
export interface MockAnswer {
  ids: number[];
  /** @default -(index + 1) / 8 */
  logprobs?: (number | null)[];
  finish?: { type: string; matched?: string | number; message?: string } | string;
  weightVersion?: string;
  /** Answers this instead of tokens. */
  refuse?: { status: number; body: unknown };
  /** Never answers; streams stop after their first token. */
  hang?: boolean;
  /** More members of `meta_info`, or of the choice. */
  more?: Record<string, unknown>;
}

export interface MockEngine {
  url: string;
  /** Bodies of the calls to the token route, and of all others by their path. */
  calls: { path: string; text: string; body: Record<string, unknown>; headers: IncomingMessage['headers'] }[];
  /** Called for each prompt; the last given function counts. */
  answer: (promptIds: number[], body: Record<string, unknown>) => MockAnswer;
  /** Other routes. */
  routes: Map<string, (body: Record<string, unknown>) => unknown>;
  /** What is answered on all other paths. @default 404 */
  missing: { status: number; body: unknown };
  /** Connections that were dropped before their answer was complete. */
  dropped: number;
  close(): Promise<void>;
}

/** SGLang's `/generate` and `/abort_request` over real sockets. */
export function startMockSglang(options: { incremental?: boolean } = {}): Promise<MockEngine> {
  return startMockEngine('/generate', async (engine, body, response) => {
    const reply = engine.answer(body['input_ids'] as number[], body);
    if (refused(reply, response)) return;
    const at = (from: number, to: number, isLast: boolean): unknown => ({
      text: reply.ids.slice(from, to).join(' '),
      output_ids: reply.ids.slice(from, to),
      meta_info: {
        id: body['rid'],
        finish_reason: isLast ? (reply.finish ?? { type: 'stop', matched: 151645 }) : null,
        prompt_tokens: (body['input_ids'] as number[]).length,
        completion_tokens: to,
        cached_tokens: 0,
        weight_version: reply.weightVersion ?? 'default',
        output_token_logprobs: reply.ids
          .slice(from, to)
          .map((id, index) => [logprob(reply, from + index), id, null]),
        ...(isLast ? reply.more : {}),
      },
    });
    if (body['stream'] !== true) {
      const { n = 1 } = body['sampling_params'] as { n?: number };
      const whole = at(0, reply.ids.length, true);
      if (reply.hang !== true) sendJson(response, 200, n === 1 ? whole : Array(n).fill(whole));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    for (let to = 1; to <= reply.ids.length; to += 1) {
      const from = options.incremental === true ? to - 1 : 0;
      await write(response, `data: ${JSON.stringify(at(from, to, to === reply.ids.length))}\n\n`);
      if (reply.hang === true) return;
    }
    response.end('data: [DONE]\n\n');
  });
}

/** vLLM's `/inference/v1/generate` over real sockets. */
export function startMockVllm(options: { idsAsText?: boolean } = {}): Promise<MockEngine> {
  return startMockEngine('/inference/v1/generate', async (engine, body, response) => {
    const prompt = body['token_ids'] as number[];
    const reply = engine.answer(prompt, body);
    if (refused(reply, response)) return;
    const requestId = String(body['request_id']);
    const choice = (from: number, to: number): VllmGenerateChoice => ({
      index: 0,
      tokens: tokensOf(reply).slice(from, to),
      finishReason: to === reply.ids.length ? finishOf(reply) : null,
      tokensSoFar: to,
    });
    const told = (answer: object, isLast: boolean): object =>
      withMore(options.idsAsText === true ? withIdsAsText(answer) : answer, isLast ? reply.more : undefined);
    if (body['stream'] !== true) {
      if (reply.hang === true) return;
      const counts = { promptTokens: prompt.length, completionTokens: reply.ids.length };
      const whole = vllmGenerate({ requestId, model: 'm' }, [choice(0, reply.ids.length)], counts);
      sendJson(response, 200, told(whole, true));
      return;
    }
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    for (let to = 1; to <= reply.ids.length; to += 1) {
      const event = vllmGenerateEvent(requestId, choice(to - 1, to));
      await write(response, `data: ${JSON.stringify(told(event, to === reply.ids.length))}\n\n`);
      if (reply.hang === true) return;
    }
    const usage = vllmGenerateUsage(requestId, prompt.length, reply.ids.length);
    response.end(`data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
  });
}

interface WithChoices {
  choices: { logprobs?: { content: { token_id: number; logprob: number }[] } }[];
}

function withMore(answer: object, more: Record<string, unknown> | undefined): object {
  const { choices } = answer as WithChoices;
  return { ...answer, choices: choices.map((choice) => ({ ...choice, ...more })) };
}

/** As releases before 0.20 name the tokens. */
function withIdsAsText(answer: object): object {
  const { choices } = answer as WithChoices;
  return {
    ...answer,
    choices: choices.map((choice) => ({
      ...choice,
      logprobs: {
        content: choice.logprobs!.content.map(({ token_id: id, logprob: value }) => ({
          token: `token_id:${id}`,
          logprob: value,
          top_logprobs: [],
        })),
      },
    })),
  };
}

/** vLLM's `/v1/completions`, and no token route: it does not exist, or is switched off. */
export async function startMockVllmCompletions(
  options: { namesOnly?: boolean; chatLogprobs?: boolean; isScaleOutOff?: boolean } = {},
): Promise<MockEngine> {
  const mock = await startMockEngine('/v1/completions', async (engine, body, response) => {
    const prompt = body['prompt'] as number[];
    const reply = engine.answer(prompt, body);
    if (refused(reply, response)) return;
    const { n = 1 } = body as { n?: number };
    const head = { id: 'cmpl-1', model: 'm' };
    const choice = (index: number, from: number, to: number): VllmCompletionChoice => ({
      index,
      text: reply.ids.slice(from, to).join(' '),
      logprobs: tokensOf(reply).slice(from, to),
      finishReason: to === reply.ids.length ? finishOf(reply) : null,
      tokenIds: options.namesOnly === true ? null : reply.ids.slice(from, to),
      promptTokenIds: from === 0 && options.namesOnly !== true ? prompt : null,
    });
    const told = (answer: object, isLast: boolean): object =>
      withMore(
        options.chatLogprobs === true ? withChatLogprobs(answer) : answer,
        isLast ? reply.more : undefined,
      );
    const counts = { promptTokens: prompt.length, completionTokens: n * reply.ids.length };
    if (body['stream'] !== true) {
      const choices = Array.from({ length: n }, (_choice, index) => choice(index, 0, reply.ids.length));
      sendJson(response, 200, told(vllmCompletion(head, choices, counts), true));
      return;
    }
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    for (let to = 1; to <= reply.ids.length; to += 1) {
      for (let index = 0; index < n; index += 1) {
        const event = vllmCompletionEvent(head, choice(index, to - 1, to));
        await write(response, `data: ${JSON.stringify(told(event, to === reply.ids.length))}\n\n`);
      }
    }
    const usage = vllmUsageEvent(head, 'text_completion', counts.promptTokens, counts.completionTokens);
    response.end(`data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
  });
  if (options.isScaleOutOff === true) mock.missing = { status: 403, body: scaleOutIsOff };
  return mock;
}

/** As on the chat wire, which some servers answer with here. */
function withChatLogprobs(answer: object): object {
  const { choices } = answer as {
    choices: { logprobs: { tokens: string[]; token_logprobs: number[] } }[];
  };
  return {
    ...answer,
    choices: choices.map((choice) => ({
      ...choice,
      logprobs: {
        content: choice.logprobs.tokens.map((name, at) => ({
          token: name.replace('token_id:', 't'),
          logprob: choice.logprobs.token_logprobs[at],
        })),
      },
    })),
  };
}

type Generate = (
  engine: MockEngine,
  body: Record<string, unknown>,
  response: ServerResponse,
) => Promise<void>;

async function startMockEngine(path: string, generate: Generate): Promise<MockEngine> {
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    engine.calls.push({ path: request.url ?? '', text, body, headers: request.headers });
    response.on('close', () => {
      if (!response.writableFinished) engine.dropped += 1;
    });
    if (request.url === path) return generate(engine, body, response);
    const route = engine.routes.get(request.url ?? '');
    const { status, body: missing } = engine.missing;
    sendJson(response, route === undefined ? status : 200, route?.(body) ?? missing);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const engine: MockEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: () => ({ ids: [] }),
    routes: new Map([['/abort_request', () => ({})]]),
    missing: { status: 404, body: { detail: 'Not Found' } },
    dropped: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return engine;
}

function tokensOf(reply: MockAnswer): VllmToken[] {
  return reply.ids.map((id, at) => ({
    id,
    text: `token_id:${id}`,
    logprob: logprob(reply, at),
    others: { 'token_id:7': -9 },
  }));
}

function finishOf({ finish }: MockAnswer): string {
  return typeof finish === 'string' ? finish : (finish?.type ?? 'stop');
}

function logprob(reply: MockAnswer, index: number): number | null {
  return reply.logprobs === undefined ? -(index + 1) / 8 : (reply.logprobs[index] ?? null);
}

function refused(reply: MockAnswer, response: ServerResponse): boolean {
  if (reply.refuse === undefined) return false;
  sendJson(response, reply.refuse.status, reply.refuse.body);
  return true;
}

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  const body = JSON.stringify(document);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

// Waits until the bytes are out, so that each event is a chunk of its own.
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => {
      resolve();
    });
  });
}
