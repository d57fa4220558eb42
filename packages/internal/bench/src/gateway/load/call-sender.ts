import { Pool } from 'undici';

const firstErrorCharacters = 300;

/** Sends calls over so many connections, one at a time on each. */
export class CallSender {
  readonly #pool: Pool;
  readonly #sessionPrefix: string | undefined;

  constructor(url: string, connections: number, sessionPrefix: string | undefined) {
    this.#pool = new Pool(url, { connections, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
    this.#sessionPrefix = sessionPrefix;
  }

  /**
   * Resolves when the answer is here in full.
   * @param sessionId Ignored where the subject has no sessions
   * @throws Error if the answer is no success
   */
  send(sessionId: string, body: Buffer, onData?: (chunk: Buffer) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let status = 0;
    let refusal = '';
    const path =
      this.#sessionPrefix === undefined
        ? '/v1/chat/completions'
        : `/sessions/${sessionId}/v1/chat/completions`;
    // Not `request`: a stream for each answer would cost the load generator more than a gateway does.
    this.#pool.dispatch(
      { method: 'POST', path, headers: { 'content-type': 'application/json' }, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: (_controller, chunk) => {
          if (status === 200) onData?.(chunk);
          else if (refusal.length < firstErrorCharacters) refusal += chunk.toString();
        },
        onResponseEnd: () => {
          if (status === 200) resolve();
          else reject(new Error(`answered ${status}: ${refusal.slice(0, firstErrorCharacters)}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
    return promise;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
