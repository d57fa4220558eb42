import type { ServerResponse } from 'node:http';
import type { Clock } from '@art/ground';
import { type LinkStream, readAnswerHead, type ReachLink, seenReason } from '@art/protocol/reach';
import { answerError } from './proxy-http.ts';

interface CallParts {
  head: Buffer;
  body: readonly Buffer[];
  response: ServerResponse;
}

// One may be an accident of the network; what breaks the second is likely the call, and the others must not suffer from it for ever.
const mostBrokenSockets = 2;

type State =
  | { kind: 'waiting' }
  | { kind: 'sent'; stream: LinkStream }
  /** Everything of its answer has come, though the agent may still read. */
  | { kind: 'answered' }
  | { kind: 'done' };

/**
 * A call of the agent on its way through the tunnel. While nothing of its answer has come, and the gateway has certainly not got
 * it, it goes out again on the next socket; otherwise it ends with an error that model clients try again.
 */
export class ProxiedCall {
  /** Called when the call's socket was lost and the call waits for another one. */
  onLost: (() => void) | undefined;
  /** Called when the gateway begins to answer; otherwise, unless the agent goes meanwhile, why it never will. */
  onAnswer: ((refused?: string) => void) | undefined;
  readonly #parts: CallParts;
  readonly #onDone: () => void;
  #brokenSockets = 0;
  #state: State = { kind: 'waiting' };
  #cancelHold: (() => void) | undefined;

  constructor(parts: CallParts, onDone: () => void) {
    this.#parts = parts;
    this.#onDone = onDone;
    parts.response.once('close', () => this.#gone());
  }

  get isWaiting(): boolean {
    return this.#state.kind === 'waiting';
  }

  /** There is no socket: the call waits for so long, from when it began to wait. */
  hold(holdMs: number, clock: Clock): void {
    this.#cancelHold ??= clock.after(holdMs, () =>
      this.fail(`The trainer has had no connection to this session for ${holdMs} ms`),
    );
  }

  sendOn(link: ReachLink): void {
    this.#cancelHold?.();
    this.#cancelHold = undefined;
    const { head, body, response } = this.#parts;
    const stream = link.open(head, {
      onHead: (bytes) => {
        const { status, headers } = readAnswerHead(bytes);
        this.onAnswer?.();
        response.writeHead(status, headers);
        response.flushHeaders();
      },
      onData: (bytes) => {
        response.write(bytes, () => stream.read(bytes.length));
      },
      onEnd: () => {
        this.#state = { kind: 'answered' };
        if (response.headersSent) response.end();
        else this.fail('The trainer answered without a head');
      },
      onReset: (reason) => this.#reset(reason),
    });
    this.#state = { kind: 'sent', stream };
    for (const piece of body) stream.data(piece);
    stream.end();
  }

  /** Ends the call with an error. */
  fail(why: string): void {
    if (this.#state.kind === 'done') return;
    const { response } = this.#parts;
    // In the middle of an answer only a broken connection says that the rest is missing.
    if (response.headersSent) response.destroy();
    else {
      this.onAnswer?.(why);
      answerError(response, 503, `${why}. The call may be tried again.`);
    }
    this.#finish();
  }

  #reset(reason: string | undefined): void {
    const { body, response } = this.#parts;
    // A call whose bytes the trainer has read is not what broke the socket. One without a body may be.
    const isTaken = body.length > 0 && this.#state.kind === 'sent' && this.#state.stream.isRead;
    this.#state = { kind: 'waiting' };
    if (reason === seenReason)
      this.fail('The connection to the trainer broke when the model had been called');
    else if (reason !== undefined) this.fail(reason);
    else if (response.headersSent) this.fail('The connection to the trainer broke');
    else if (!isTaken && (this.#brokenSockets += 1) >= mostBrokenSockets)
      this.fail(`The connection to the trainer broke ${mostBrokenSockets} times under this call`);
    else this.onLost?.();
  }

  #gone(): void {
    if (this.#state.kind === 'sent') this.#state.stream.reset('the agent has gone');
    if (this.isWaiting)
      this.onAnswer?.('There was no connection to the trainer until the agent gave a call up');
    this.#finish();
  }

  #finish(): void {
    if (this.#state.kind === 'done') return;
    this.#state = { kind: 'done' };
    this.#cancelHold?.();
    this.#onDone();
  }
}
