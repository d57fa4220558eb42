import { setTimeout as pause } from 'node:timers/promises';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { chatCompletion, chatCompletionChunks } from './chat-completion.ts';
import { type ChatRequest, ChatRequestSchema } from './chat-request.ts';
import { chooseReply, type ScriptedBehaviour, type ScriptedReply } from './choose-reply.ts';

/** The one model it serves. Requests for any other name are answered 404, as OpenAI does. */
export const scriptedModelId = 'scripted-math';

export interface ScriptedModelAppOptions extends ScriptedBehaviour {
  /** Thinking time before each reply. @default 0 */
  latencyMs?: number | undefined;
  /** Told every reply when it is decided. */
  onReply?: ((reply: ScriptedReply) => void) | undefined;
}

/**
 * An OpenAI-compatible server whose model is a script and not a neural network: it understands the generator's problems
 * by their wording, really uses the calculator tool, and makes seeded mistakes. It lets the example run without a model.
 */
export function scriptedModelApp(options: ScriptedModelAppOptions): FastifyInstance {
  const { latencyMs = 0, onReply, ...behaviour } = options;
  const app = Fastify({
    forceCloseConnections: true,
    // A conversation may be as long as what an agent may be sent.
    bodyLimit: 100_000_000,
    // Coercion would turn a content of text parts into something else before the schema has seen it.
    ajv: { customOptions: { coerceTypes: false } },
  });

  // Asked by gateways from time to time, as of any inference server.
  app.get('/health', () => ({ status: 'ok' }));

  app.get('/v1/models', () => ({
    object: 'list',
    data: [{ id: scriptedModelId, object: 'model', created: 0, owned_by: 'scripted' }],
  }));

  app.post<{ Body: ChatRequest }>(
    '/v1/chat/completions',
    { schema: { body: ChatRequestSchema } },
    async (request, reply) => {
      const chat = request.body;
      if (chat.model !== scriptedModelId) {
        return reply
          .code(404)
          .send(openAiError(`The model ${chat.model} does not exist.`, 'model_not_found'));
      }
      if (latencyMs > 0) await pause(latencyMs, undefined, { signal: hangUp(reply) });
      const next = chooseReply(chat, behaviour, samplerOf(request));
      onReply?.(next);
      if (chat.stream !== true) return chatCompletion(chat, next);
      return reply
        .type('text/event-stream; charset=utf-8')
        .send(
          [...chatCompletionChunks(chat, next)]
            .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
            .join('') + 'data: [DONE]\n\n',
        );
    },
  );

  app.setNotFoundHandler((request, reply) => {
    void reply.code(404).send(openAiError(`Invalid URL (${request.method} ${request.url})`, null));
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    void reply.code(error.statusCode ?? 500).send(openAiError(error.message, error.code));
  });
  return app;
}

/** Aborts when the connection ends. Fastify's own request.signal already aborts when the request body has been read. */
function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort(new Error('The caller has hung up.')));
  return controller.signal;
}

/** Rollouts send their session id as the API key, which tells the rollouts of one question apart. */
function samplerOf(request: FastifyRequest): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** The shape of OpenAI's errors, by which SDKs find the message. */
function openAiError(message: string, code: string | null): object {
  return { error: { message, type: 'invalid_request_error', param: null, code } };
}
