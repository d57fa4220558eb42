import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  vllmChat,
  vllmChatEvent,
  vllmChatStart,
  vllmModels,
  vllmUsageEvent,
  type VllmToken,
} from '@art/tooling/vllm-shapes';

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

/** The turn of {@link answerAsVllm}. */
export const mockTurn = {
  promptTokenIds: [1, 2, 3, 4, 5],
  tokenIds: [10, 11, 12],
  logprobs: [-0.5, -0.3, -0.1],
  texts: ['Hello', ' from', ' mock!'],
};

const head = { id: 'chatcmpl-mock', model: 'mock-model', created: 1 };

function mockTokens(): VllmToken[] {
  return mockTurn.texts.map((text, at) => ({
    id: mockTurn.tokenIds[at]!,
    text,
    logprob: mockTurn.logprobs[at]!,
  }));
}

/** A whole reply of vLLM's chat route. */
export function chatReply(): Record<string, unknown> {
  const { promptTokenIds, tokenIds, texts } = mockTurn;
  const choice = { index: 0, content: texts.join(''), logprobs: mockTokens(), finishReason: 'stop' };
  const counts = { promptTokens: promptTokenIds.length, completionTokens: tokenIds.length };
  const reply = vllmChat(head, [{ ...choice, tokenIds: [...tokenIds] }], { ...counts, promptTokenIds });
  return reply as Record<string, unknown>;
}

/** The events of vLLM's chat stream, without `[DONE]`. */
export function chatChunks(): Record<string, unknown>[] {
  const tokens = mockTokens();
  const events = tokens.map((token, at) =>
    vllmChatEvent(head, {
      index: 0,
      delta: { content: token.text },
      logprobs: [token],
      finishReason: at === tokens.length - 1 ? 'stop' : null,
      tokenIds: [token.id],
    }),
  );
  const { promptTokenIds } = mockTurn;
  return [
    vllmChatStart(head, { index: 0, promptTokenIds }),
    ...events,
    vllmUsageEvent(head, 'chat.completion.chunk', promptTokenIds.length, tokens.length),
  ] as Record<string, unknown>[];
}

export function sse(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

export function sendJson(response: ServerResponse, status: number, document: unknown, headers = {}): void {
  const body = JSON.stringify(document);
  const told = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...told, ...headers }).end(body);
}

/** The whole reply, or the stream, as the request asks. */
export const answerAsVllm: MockAnswer = (request, response) => {
  const body = JSON.parse(request.text) as { stream?: boolean };
  if (body.stream !== true) {
    sendJson(response, 200, chatReply());
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const chunk of chatChunks()) response.write(sse(chunk));
  response.end('data: [DONE]\n\n');
};

const answerOthersByDefault: MockAnswer = (request, response) => {
  if (request.url === '/health') response.end();
  else if (request.url.startsWith('/v1/models')) sendJson(response, 200, vllmModels('mock-model'));
  else sendJson(response, 404, { detail: 'Not Found' });
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
