import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { vllmError, vllmModels } from '@art/tooling/vllm-shapes';
import { readCallModel, type CallModel } from './call-model.ts';
import { ReplyRenderer } from './render-reply.ts';
import { stampNow } from './stamp.ts';

// The model is named at the beginning of a request, or at its end where a gateway has written it anew.
const searchedBytes = 512;

/** An inference server that takes no time: it speaks vLLM's chat route and answers what the model's name asks for. */
export function createMockEngine(): Server {
  const renderer = new ReplyRenderer();
  return createServer({ keepAliveTimeout: 0, noDelay: true, requestTimeout: 0 }, (request, response) => {
    if (request.method === 'GET') {
      answerGet(request, response);
      return;
    }
    let start: Buffer | undefined;
    let end: Buffer | undefined;
    request.on('data', (chunk: Buffer) => {
      start ??= chunk;
      end = chunk;
    });
    request.on('end', () => {
      const model = modelOf(start) ?? modelOf(end);
      if (model === undefined)
        sendJson(response, 404, JSON.stringify(vllmError(404, 'Unknown model', 'model')));
      else if (model.kind === 'stream') stream(renderer, model, response);
      else answer(renderer, model, response);
    });
  });
}

function modelOf(chunk: Buffer | undefined): CallModel | undefined {
  if (chunk === undefined) return undefined;
  return (
    readCallModel(chunk.toString('latin1', 0, searchedBytes)) ??
    readCallModel(chunk.toString('latin1', Math.max(0, chunk.length - searchedBytes)))
  );
}

function answer(
  renderer: ReplyRenderer,
  model: Exclude<CallModel, { kind: 'stream' }>,
  response: ServerResponse,
): void {
  const send = (): void => {
    const parts = renderer.whole(model);
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  };
  const delayMs = model.kind === 'whole' ? model.delayMs : 0;
  if (delayMs === 0) {
    send();
    return;
  }
  const timer = setTimeout(send, delayMs);
  response.once('close', () => clearTimeout(timer));
}

function stream(
  renderer: ReplyRenderer,
  model: Extract<CallModel, { kind: 'stream' }>,
  response: ServerResponse,
): void {
  const { promptTokens, chunks, paceMs } = model;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(renderer.firstEvent(promptTokens));
  let index = 0;
  const timer = setInterval(() => {
    if (index < chunks) {
      response.write(renderer.tokenEvent(promptTokens, index, stampNow()));
      index += 1;
      return;
    }
    clearInterval(timer);
    response.end(renderer.lastEvents(promptTokens, chunks));
  }, paceMs);
  response.once('close', () => clearInterval(timer));
}

function answerGet(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/health') response.end();
  else if (request.url === '/v1/models') sendJson(response, 200, JSON.stringify(vllmModels('mock')));
  else sendJson(response, 404, '{"detail":"Not Found"}');
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}
