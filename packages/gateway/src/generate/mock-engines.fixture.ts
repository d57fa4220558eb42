import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
      if (reply.hang !== true) response.end(JSON.stringify(n === 1 ? whole : Array(n).fill(whole)));
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
    const reply = engine.answer(body['token_ids'] as number[], body);
    if (refused(reply, response)) return;
    const finish = typeof reply.finish === 'string' ? reply.finish : (reply.finish?.type ?? 'stop');
    const at = (from: number, to: number, isLast: boolean): unknown => ({
      request_id: body['request_id'],
      choices: [
        {
          index: 0,
          token_ids: reply.ids.slice(from, to),
          finish_reason: isLast ? finish : null,
          logprobs: {
            content: reply.ids.slice(from, to).map((id, index) => ({
              ...(options.idsAsText === true ? { token: `token_id:${id}` } : { token_id: id }),
              logprob: logprob(reply, from + index),
              top_logprobs: [],
            })),
          },
          ...(isLast ? reply.more : {}),
        },
      ],
    });
    if (body['stream'] !== true) {
      if (reply.hang !== true) response.end(JSON.stringify(at(0, reply.ids.length, true)));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    for (let to = 1; to <= reply.ids.length; to += 1) {
      await write(response, `data: ${JSON.stringify(at(to - 1, to, to === reply.ids.length))}\n\n`);
      if (reply.hang === true) return;
    }
    response.end('data: [DONE]\n\n');
  });
}

/** What vLLM 0.32 answers with 403 on its scale-out routes, where they are not switched on. */
export const scaleOutIsOff = {
  error: {
    message: 'Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out to enable them.',
    type: 'PermissionDeniedError',
    param: null,
    code: 403,
  },
};

/** vLLM's `/v1/completions`, and no token route: it does not exist, or is switched off. */
export async function startMockVllmCompletions(
  options: { namesOnly?: boolean; chatLogprobs?: boolean; isScaleOutOff?: boolean } = {},
): Promise<MockEngine> {
  const mock = await startMockEngine('/v1/completions', async (engine, body, response) => {
    const prompt = body['prompt'] as number[];
    const reply = engine.answer(prompt, body);
    if (refused(reply, response)) return;
    const finish = typeof reply.finish === 'string' ? reply.finish : (reply.finish?.type ?? 'stop');
    const { n = 1 } = body as { n?: number };
    const at = (from: number, to: number, isLast: boolean): unknown => {
      const ids = reply.ids.slice(from, to);
      return {
        object: 'text_completion',
        choices: Array.from({ length: n }, (_choice, index) => ({
          index,
          text: ids.join(' '),
          ...(options.namesOnly === true ? {} : { token_ids: ids, prompt_token_ids: prompt }),
          finish_reason: isLast ? finish : null,
          stop_reason: null,
          logprobs:
            options.chatLogprobs === true
              ? {
                  content: ids.map((id, index) => ({
                    token: `t${id}`,
                    logprob: logprob(reply, from + index),
                  })),
                }
              : {
                  tokens: ids.map((id) => `token_id:${id}`),
                  token_logprobs: ids.map((_, index) => logprob(reply, from + index)),
                  top_logprobs: ids.map((id, index) => ({
                    'token_id:7': -9,
                    [`token_id:${id}`]: logprob(reply, from + index),
                  })),
                  text_offset: [],
                },
          ...(isLast ? reply.more : {}),
        })),
      };
    };
    if (body['stream'] !== true) {
      response.end(JSON.stringify(at(0, reply.ids.length, true)));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    for (let to = 1; to <= reply.ids.length; to += 1) {
      await write(response, `data: ${JSON.stringify(at(to - 1, to, to === reply.ids.length))}\n\n`);
    }
    const usage = { prompt_tokens: prompt.length, completion_tokens: reply.ids.length };
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  });
  if (options.isScaleOutOff === true) {
    mock.missing = { status: 403, body: scaleOutIsOff };
  }
  return mock;
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
    response.statusCode = route === undefined ? engine.missing.status : 200;
    response.end(JSON.stringify(route?.(body) ?? engine.missing.body));
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

function logprob(reply: MockAnswer, index: number): number | null {
  return reply.logprobs === undefined ? -(index + 1) / 8 : (reply.logprobs[index] ?? null);
}

function refused(reply: MockAnswer, response: ServerResponse): boolean {
  if (reply.refuse === undefined) return false;
  response.statusCode = reply.refuse.status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(reply.refuse.body));
  return true;
}

// Waits until the bytes are out, so that each event is a chunk of its own.
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => {
      resolve();
    });
  });
}
