/* oxlint-disable unicorn/consistent-function-scoping -- runs as text in another thread, so it brings all it needs */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FrontDoorStart } from './front-door-messages.ts';

export interface PingAnswersOptions extends Pick<FrontDoorStart, 'memory' | 'places'> {
  /** Whether the main thread got to bring the board up to date just now. */
  askMain: () => Promise<boolean>;
  /** Whether the main thread has requests to answer. */
  hasOpenRequests: () => boolean;
}

/** Answers pings from the board, whatever the main thread is doing. Part of the program of `frontDoor`. */
export function pingAnswers({ memory, places, askMain, hasOpenRequests }: PingAnswersOptions): {
  isPing: (request: IncomingMessage) => boolean;
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Answers on a connection that the request wanted to turn into something else. */
  answerRaw: (request: IncomingMessage, socket: Duplex) => Promise<void>;
} {
  const board = new BigUint64Array(memory);

  const read = (place: number): number => Number(Atomics.load(board, place));

  const isBusy = async (): Promise<boolean> => {
    const mode = read(places.mode);
    if (mode === 2) return read(places.said) === 1;
    if (mode === 1) {
      // A handler of the app's own decides; while it cannot be asked, running work does, else its last word.
      if (await askMain()) return read(places.said) === 1;
      return read(places.busy) === 1 || read(places.said) === 1;
    }
    if (read(places.busy) === 1) return true;
    // A request that keeps the main thread from answering is work, too.
    if (hasOpenRequests() && !(await askMain())) return true;
    return read(places.busy) === 1;
  };

  const body = async (): Promise<string> => {
    const wanted = (await isBusy()) ? 1n : 0n;
    let word = Atomics.load(board, places.reported);
    if (word === 0n || (word & 1n) !== wanted) {
      word = (BigInt(Math.floor(Date.now() / 1_000)) << 1n) | wanted;
      Atomics.store(board, places.reported, word);
    }
    return `{"status":"${wanted === 1n ? 'HealthyBusy' : 'Healthy'}","time_of_last_update":${word >> 1n}}`;
  };

  const head = (text: string): Record<string, string | number> => ({
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });

  return {
    isPing: ({ method, url }) =>
      (method === 'GET' || method === 'HEAD') && (url === '/ping' || url?.startsWith('/ping?') === true),
    answer: async (request, response) => {
      request.resume();
      const text = await body();
      response.writeHead(200, head(text));
      response.end(request.method === 'HEAD' ? undefined : text);
    },
    answerRaw: async (request, socket) => {
      const text = await body();
      const fields = Object.entries({ ...head(text), connection: 'close' });
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`HTTP/1.1 200 OK\r\n${lines}\r\n${request.method === 'HEAD' ? '' : text}`);
    },
  };
}
