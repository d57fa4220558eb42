import { settleWithin } from '@art/async';
import { ArtError } from '@art/protocol';
import type { FastifyReply } from 'fastify';

/** Production requests that are being answered. */
export class OpenInvocations {
  readonly #open = new Map<AbortController, Promise<void>>();

  /** The signal of a request: it aborts when the caller goes before the answer, or the app is closed. */
  begin(reply: FastifyReply): AbortSignal {
    const controller = new AbortController();
    const ended = new Promise<void>((resolve) => {
      reply.raw.once('close', () => {
        this.#open.delete(controller);
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
