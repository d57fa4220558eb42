import { once } from 'node:events';
import { backgroundClock, type ArtError } from '@art/ground';
import {
  type CallHead,
  defaultReachLimits,
  type LinkStream,
  openLink,
  readCallHead,
  type ReachLink,
  readWelcome,
  type Welcome,
  writeHead,
  writeHello,
} from '@art/protocol/reach';
import { WebSocket } from 'ws';

export interface CalledStream {
  stream: LinkStream;
  head: CallHead;
  body: Buffer[];
  /** Resolves when the whole call has come; rejects with the reason when it is broken off. */
  whole: Promise<void>;
}

/** A trainer's end of a socket that answers calls as a test says. */
export class TrainerEnd {
  readonly calls: CalledStream[] = [];
  readonly link: ReachLink;
  readonly socket: WebSocket;
  readonly welcomed: Promise<Welcome>;
  readonly ended: Promise<ArtError>;
  /** Answers a call when it is whole. @default not at all */
  answer: (call: CalledStream) => void = () => {};

  private constructor(socket: WebSocket) {
    this.socket = socket;
    const welcome = Promise.withResolvers<Welcome>();
    const ended = Promise.withResolvers<ArtError>();
    this.welcomed = welcome.promise;
    this.ended = ended.promise;
    welcome.promise.catch(() => {});
    this.link = openLink(socket, {
      clock: backgroundClock,
      limits: defaultReachLimits,
      events: {
        onHello: (link, bytes) => {
          link.accept();
          welcome.resolve(readWelcome(bytes));
        },
        onStream: (stream, bytes) => {
          const whole = Promise.withResolvers<void>();
          whole.promise.catch(() => {});
          const call = { stream, head: readCallHead(bytes), body: [] as Buffer[], whole: whole.promise };
          this.calls.push(call);
          return {
            onData: (piece) => {
              call.body.push(piece);
              stream.read(piece.length);
            },
            onEnd: () => {
              whole.resolve();
              this.answer(call);
            },
            onReset: (reason) => whole.reject(new Error(reason ?? 'lost')),
          };
        },
        onEnd: (_link, error) => {
          welcome.reject(error);
          ended.resolve(error);
        },
      },
    });
  }

  static async open(
    port: number,
    { query = '', ...hello }: { sessionId: string; secret: string; isOnly?: boolean; query?: string },
  ): Promise<TrainerEnd> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`);
    await once(socket, 'open');
    const end = new TrainerEnd(socket);
    end.link.hello(writeHello({ isOnly: true, limits: defaultReachLimits, ...hello }));
    return end;
  }
}

/** Answers with a text, or with pieces of one. */
export function answerText(status: number, ...pieces: string[]): (call: CalledStream) => void {
  return ({ stream }) => {
    stream.head(
      writeHead({ status, headers: ['content-type', 'text/plain', 'x-twice', 'a', 'x-twice', 'b'] }),
    );
    for (const piece of pieces) stream.data(Buffer.from(piece));
    stream.end();
  };
}
