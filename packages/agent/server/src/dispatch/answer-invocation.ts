import { settleWithin, ArtError, stringifyJson } from '@art/ground';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHandlerStream } from '../handler/handler-stream.ts';
import type { PreparedHandler } from '../handler/prepared-handler.ts';
import { replyWithEvents } from '../http/event-stream.ts';
import type { AsyncTasks } from '../ping/async-tasks.ts';
import { runWithContext } from '../request/request-context.ts';
import { createRequestContext, sessionIdOf } from '../request/create-request-context.ts';

/** Answers production traffic with what the handler returns: JSON, whatever the Accept header says, or an event stream. */
export async function answerInvocation(
  request: FastifyRequest,
  reply: FastifyReply,
  handler: PreparedHandler,
  open: OpenInvocations,
): Promise<FastifyReply> {
  const input = await handler.validate(request.body);
  const context = createRequestContext(request, {
    sessionId: sessionIdOf(request),
    signal: open.begin(reply, handler.name),
  });
  const result = await runWithContext(context, async () => handler.process(input, context));
  if (isHandlerStream(result)) return replyWithEvents(reply, result, context);
  // Python answers `null` where a function returns nothing.
  return reply.header('content-type', 'application/json').send(stringifyJson(result ?? null));
}

/** A request that takes so long keeps its session busy. */
const longMs = 10_000;

/** Production requests that are being answered. */
export class OpenInvocations {
  readonly #tasks: AsyncTasks;
  readonly #open = new Map<AbortController, Promise<void>>();

  /** @param tasks what keeps the session busy */
  constructor(tasks: AsyncTasks) {
    this.#tasks = tasks;
  }

  /**
   * The signal of a request: it aborts when the caller goes before the answer, or the app is closed.
   * @param name of the task that it is where it takes long; none for a request whose work is a task anyway
   */
  begin(reply: FastifyReply, name?: string): AbortSignal {
    const controller = new AbortController();
    let task: number | undefined;
    const begin = (): void => void (task = this.#tasks.add(name!));
    const timer = name === undefined ? undefined : setTimeout(begin, longMs).unref();
    const ended = new Promise<void>((resolve) => {
      reply.raw.once('close', () => {
        this.#open.delete(controller);
        clearTimeout(timer);
        if (task !== undefined) this.#tasks.complete(task);
        if (!reply.raw.writableFinished) controller.abort(closed('The caller closed the connection.'));
        resolve();
      });
    });
    this.#open.set(controller, ended);
    return controller.signal;
  }

  /** Tells every handler to come to an end, and gives them `graceMs` for their answers. */
  async terminate(graceMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const ends = [...this.#open.values()];
    for (const controller of this.#open.keys())
      controller.abort(closed('The agent process is being stopped.'));
    await settleWithin(ends, graceMs);
  }
}

function closed(message: string): ArtError {
  return new ArtError({ code: 'ART_CLOSED', message });
}
