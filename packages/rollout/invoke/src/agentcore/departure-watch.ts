import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { runtimeHeaders, whenRequestLeaves } from '@art/protocol';

// The SDK keeps its requests to itself. Source: https://nodejs.org/api/diagnostics_channel.html#event-httpclientrequestcreated
const channel = 'http.client.request.created';

/**
 * Tells when an invocation leaves this process, whatever the SDK does before: credentials, signature, a place in the pool, the
 * handshake. Calls of one session that are under way together are told together, which errs on the safe side. Listens to Node only
 * while there is a call.
 */
export class DepartureWatch {
  readonly #calls = new Map<string, Set<() => void>>();

  /** @returns ends the watch. */
  watch(sessionId: string, tell: () => void): () => void {
    if (this.#calls.size === 0) subscribe(channel, this.#onRequest);
    const calls = this.#calls.get(sessionId) ?? new Set();
    this.#calls.set(sessionId, calls.add(tell));
    return () => {
      if (!calls.delete(tell) || calls.size > 0) return;
      this.#calls.delete(sessionId);
      if (this.#calls.size === 0) unsubscribe(channel, this.#onRequest);
    };
  }

  readonly #onRequest = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const sessionId = request.getHeader(runtimeHeaders.sessionId);
    if (typeof sessionId !== 'string' || !this.#calls.has(sessionId)) return;
    whenRequestLeaves(request, () => {
      for (const tell of this.#calls.get(sessionId) ?? []) tell();
    });
  };
}
