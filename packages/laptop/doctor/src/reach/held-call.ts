import {
  type CallHead,
  type LinkStream,
  readCallHead,
  type StreamEvents,
  writeHead,
} from '@art/protocol/reach';

/** A call of an agent that waits for its answer at this end of a socket. */
export class HeldCall {
  readonly head: CallHead;
  readonly #stream: LinkStream;
  readonly #body: Buffer[] = [];
  readonly #whole = Promise.withResolvers<void>();

  constructor(stream: LinkStream, head: Buffer) {
    this.#stream = stream;
    this.head = readCallHead(head);
    this.#whole.promise.catch(() => {});
  }

  /** @param onGone called when the agent has given it up, or its socket is lost */
  events(onGone: () => void): StreamEvents {
    return {
      onData: (bytes) => {
        this.#body.push(bytes);
        this.#stream.read(bytes.length);
      },
      onEnd: () => this.#whole.resolve(),
      onReset: (reason) => {
        this.#whole.reject(new Error(reason ?? 'the socket was lost'));
        onGone();
      },
    };
  }

  /**
   * Passes it on to a model and the answer back. What goes wrong breaks the call off, and the agent is told.
   * @param modelUrl with `/v1`
   * @param path of the session's model API, in whose place `modelUrl` stands
   */
  async answer(modelUrl: string, path: string): Promise<void> {
    try {
      await this.#whole.promise;
      const { method, path: target } = this.head;
      const response = await fetch(modelUrl + target.slice(path.length), {
        method,
        headers: { 'content-type': 'application/json' },
        body: this.#body.length === 0 ? null : Buffer.concat(this.#body),
      });
      const type = response.headers.get('content-type') ?? 'application/json';
      this.#stream.head(writeHead({ status: response.status, headers: ['content-type', type] }));
      for await (const bytes of response.body ?? []) this.#stream.data(Buffer.from(bytes));
      this.#stream.end();
    } catch (error) {
      this.#stream.reset((error as Error).message);
    }
  }
}
