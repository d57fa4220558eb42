import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the mock got. */
export interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The bytes as text. */
  text: string;
  /** Resolves when the connection of the request is gone before its reply ended. */
  dropped: Promise<void>;
}

export type MockAnswer = (request: RecordedRequest, response: ServerResponse) => void | Promise<void>;

/** An inference server that speaks vLLM's shapes and can be told to misbehave. */
export interface MockEngine {
  readonly url: string;
  /** Requests to the model API, the newest last; health checks and lists are left out. */
  readonly requests: RecordedRequest[];
  /** Answers the model API. @default {@link answerAsVllm} */
  answer: MockAnswer;
  /** Answers everything else. @default 200 for /health, a list for /v1/models, 404 */
  answerOthers: MockAnswer;
  last(): RecordedRequest;
  close(): Promise<void>;
}

/** What {@link answerAsVllm} says. */
export const mockTurn = {
  promptTokenIds: [1, 2, 3, 4, 5],
  tokenIds: [10, 11, 12],
  logprobs: [-0.5, -0.3, -0.1],
  texts: ['Hello', ' from', ' mock!'],
};

/** A whole reply of vLLM's chat route. */
export function chatReply(): Record<string, unknown> {
  const { promptTokenIds, tokenIds, texts } = mockTurn;
  return {
    id: 'chatcmpl-mock',
    object: 'chat.completion',
    created: 1,
    model: 'mock-model',
    prompt_token_ids: promptTokenIds,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: texts.join('') },
        finish_reason: 'stop',
        stop_reason: null,
        token_ids: [...tokenIds],
        logprobs: { content: texts.map((token, index) => logprob(token, index)) },
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    prompt_logprobs: null,
    kv_transfer_params: null,
  };
}

/** The events of vLLM's chat stream, without `[DONE]`. */
export function chatChunks(): Record<string, unknown>[] {
  const chunk = (choice: Record<string, unknown>, more = {}): Record<string, unknown> => ({
    id: 'chatcmpl-mock',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'mock-model',
    ...more,
    choices: [{ index: 0, finish_reason: null, ...choice }],
  });
  const { promptTokenIds, tokenIds, texts } = mockTurn;
  return [
    chunk(
      { delta: { role: 'assistant', content: '' }, logprobs: null },
      { prompt_token_ids: promptTokenIds },
    ),
    ...texts.map((content, index) =>
      chunk({
        delta: { content },
        logprobs: { content: [logprob(content, index)] },
        token_ids: [tokenIds[index]],
      }),
    ),
    chunk({ delta: {}, finish_reason: 'stop', stop_reason: null }),
    {
      id: 'chatcmpl-mock',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'mock-model',
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    },
  ];
}

export function sse(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

export function sendJson(response: ServerResponse, status: number, document: unknown, headers = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(document));
}

/** The whole reply, or the stream, as the request asks. */
export const answerAsVllm: MockAnswer = (request, response) => {
  const body = JSON.parse(request.text) as { stream?: boolean };
  if (body.stream !== true) {
    sendJson(response, 200, chatReply());
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chatChunks()) response.write(sse(chunk));
  response.end('data: [DONE]\n\n');
};

const answerOthersByDefault: MockAnswer = (request, response) => {
  if (request.url === '/health') sendJson(response, 200, {});
  else if (request.url.startsWith('/v1/models')) {
    sendJson(response, 200, {
      object: 'list',
      data: [{ id: 'mock-model', object: 'model', owned_by: 'vllm' }],
    });
  } else sendJson(response, 404, { detail: 'Not Found' });
};

export async function startMockEngine(): Promise<MockEngine> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const recorded = await record(request, response);
      const isModelCall = request.method === 'POST' && recorded.url.startsWith('/v1/');
      if (isModelCall) requests.push(recorded);
      await (isModelCall ? engine.answer : engine.answerOthers)(recorded, response);
    })();
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const engine: MockEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: answerAsVllm,
    answerOthers: answerOthersByDefault,
    last() {
      const request = requests.at(-1);
      if (request === undefined) throw new Error('The mock engine got no request.');
      return request;
    },
    async close() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      server.closeAllConnections();
      await closed;
    },
  };
  return engine;
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const { promise: dropped, resolve } = Promise.withResolvers<void>();
  response.on('close', () => {
    if (!response.writableFinished) resolve();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  return { method, url, headers, text: Buffer.concat(chunks).toString(), dropped };
}

function logprob(token: string, index: number): Record<string, unknown> {
  return { token, logprob: mockTurn.logprobs[index], bytes: null, top_logprobs: [] };
}
