import { Readable } from 'node:stream';
import { messagesError, translateMessagesRequest, translateResponsesRequest } from '@art/gateway/model-wires';
import { pause, refusedCaller, noRouteSchemas, refuseMalformed, requestTimeLimits } from '@art/ground';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { type MockRequest, mockRequest } from './mock-request.ts';
import type { MockTurn } from './mock-turn.ts';
import { saidTurn } from './said-parts.ts';
import { ruleScript, type MockReply, type MockRule } from './script/rule-script.ts';
import { bytePromptTokens } from './tokens/byte-tokens.ts';
import { chatWire } from './wires/chat-wire.ts';
import type { ModelWire } from './wires/model-wire.ts';
import { record, MockRequestError } from './wires/request-parts.ts';
import { translatedWire } from './wires/translated-wire.ts';

export interface MockModelOptions {
  /** The script: a function, or rules. @default says the question again */
  reply?: MockReply | readonly MockRule[] | undefined;
  /** The one model that is served; any other name is answered with 404. @default `mock-model`, and any other name */
  modelId?: string | undefined;
  /** Called with every request with the turn that answers it, before the reply. */
  onTurn?: ((request: MockRequest, turn: MockTurn) => void) | undefined;
}

const responsesWire = translatedWire({
  name: 'responses',
  path: '/v1/responses',
  translate: translateResponsesRequest,
  error: (status, message) => chatWire.error(status, message),
});
const messagesWire = translatedWire({
  name: 'messages',
  path: '/v1/messages',
  translate: translateMessagesRequest,
  error: messagesError,
});

const echo: MockReply = ({ question }) => `You said: ${question}`;

/**
 * The server without an address; see `startMockModel`.
 * @param host where it will listen
 */
export function mockModelApp(options: MockModelOptions, host = '127.0.0.1'): FastifyInstance {
  const { reply: script = echo, modelId, onTurn } = options;
  const reply = typeof script === 'function' ? script : ruleScript(script);
  const app = Fastify({
    forceCloseConnections: true,
    // A conversation may be as long as what an agent may be sent.
    bodyLimit: 100_000_000,
    clientErrorHandler: refuseMalformed,
    http: requestTimeLimits,
    requestTimeout: requestTimeLimits.requestTimeout,
    schemaController: noRouteSchemas,
  });
  app.addHook('onRequest', async ({ raw }, response) => {
    const refusal = refusedCaller(raw, { host });
    if (refusal !== undefined) await response.code(403).send(chatWire.error(403, refusal.message));
  });

  // Asked by gateways from time to time, as of any inference server.
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/v1/models', () => ({
    object: 'list',
    data: [{ id: modelId ?? 'mock-model', object: 'model', created: 0, owned_by: 'mock' }],
  }));

  for (const wire of [chatWire, responsesWire, messagesWire]) {
    app.post(wire.path, { errorHandler: errorHandler(wire) }, async (raw, response) => {
      const request = read(wire, raw.body, raw.headers);
      if (modelId !== undefined && request.model !== modelId)
        return response.code(404).send(wire.error(404, `The model ${request.model} does not exist.`));
      const given = await reply(request);
      const turn = typeof given === 'string' ? { text: given } : given;
      onTurn?.(request, turn);
      const hangUp = untilClosed(response);
      await pause(turn.delayMs ?? 0, { signal: hangUp });
      if (turn.error !== undefined) {
        const {
          status,
          message = `The mock model was asked to answer ${status}.`,
          headers = {},
        } = turn.error;
        return response.code(status).headers(headers).send(wire.error(status, message));
      }
      const said = saidTurn(turn, request);
      const isStream = request.body['stream'] === true;
      if (turn.breakAfter !== undefined && (!isStream || turn.breakAfter === 0)) {
        response.hijack();
        raw.raw.socket.destroy();
        return response;
      }
      if (!isStream) return wire.whole(request, said);
      const events = [...wire.events(request, said)];
      const isPlain = turn.breakAfter === undefined && (turn.chunkDelayMs ?? 0) === 0;
      return response
        .type('text/event-stream; charset=utf-8')
        .send(isPlain ? events.join('') : Readable.from(paced(events, turn, raw.raw.socket, hangUp)));
    });
  }

  app.post(`${messagesWire.path}/count_tokens`, { errorHandler: errorHandler(messagesWire) }, (request) => ({
    input_tokens: bytePromptTokens(read(messagesWire, request.body, request.headers)).length,
  }));

  app.setNotFoundHandler((request, response) => {
    void response.code(404).send(chatWire.error(404, `Invalid URL (${request.method} ${request.url})`));
  });
  return app;
}

function read(wire: ModelWire, body: unknown, headers: MockRequest['headers']): MockRequest {
  const members = record(body);
  const request = mockRequest(wire.name, wire.read(members), members, headers);
  if (request.model === '') throw new MockRequestError('Expected "model" to be the name of a model.');
  return request;
}

async function* paced(
  events: readonly string[],
  { breakAfter, chunkDelayMs = 0 }: MockTurn,
  socket: { destroy(): unknown },
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (const [index, event] of events.entries()) {
    if (index > 0) await pause(chunkDelayMs, { signal });
    if (index === breakAfter) {
      // What was sent is to arrive before the connection breaks.
      await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      return;
    }
    yield event;
  }
}

/** Aborts when the connection ends. Fastify's own request.signal already aborts when the request body has been read. */
function untilClosed(response: FastifyReply): AbortSignal {
  const controller = new AbortController();
  response.raw.once('close', () => controller.abort(new Error('The caller has hung up.')));
  return controller.signal;
}

function errorHandler(wire: ModelWire) {
  return (error: FastifyError, _request: unknown, response: FastifyReply): void => {
    const status = error instanceof MockRequestError ? 400 : (error.statusCode ?? 500);
    void response.code(status).send(wire.error(status, error.message));
  };
}
