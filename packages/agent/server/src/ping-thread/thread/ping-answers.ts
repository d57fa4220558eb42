import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SharedPingBoard } from './shared-ping-board.ts';

export interface PingAnswersOptions {
  board: SharedPingBoard;
  /** True if the main thread could just bring the board up to date. */
  askMain: () => Promise<boolean>;
  /** True if the main thread has requests to answer. */
  hasOpenRequests: () => boolean;
}

/** Answers pings from the board, whatever the main thread is doing. */
export interface PingAnswers {
  isPing: (request: IncomingMessage) => boolean;
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Answers on a connection that the request wanted to turn into something else. */
  answerRaw: (request: IncomingMessage, socket: Duplex) => Promise<void>;
}

export function pingAnswers({ board, askMain, hasOpenRequests }: PingAnswersOptions): PingAnswers {
  const isBusy = async (): Promise<boolean> => {
    const { mode, busy, said } = board.read();
    if (mode === 'forced') return said === 'HealthyBusy';
    if (mode === 'handler') {
      // A handler of the app's own decides; while it cannot be asked, running work does, else its last word.
      const isAsked = await askMain();
      const now = board.read();
      return (!isAsked && now.busy) || now.said === 'HealthyBusy';
    }
    // A request that keeps the main thread from answering is work, too.
    if (busy || (hasOpenRequests() && !(await askMain()))) return true;
    return board.read().busy;
  };

  const body = async (): Promise<string> =>
    JSON.stringify(board.report((await isBusy()) ? 'HealthyBusy' : 'Healthy', Date.now()));

  return {
    isPing: ({ method, url }) =>
      (method === 'GET' || method === 'HEAD') && (url === '/ping' || url?.startsWith('/ping?') === true),
    answer: async (request, response) => {
      request.resume();
      const text = await body();
      response.writeHead(200, headOf(text));
      response.end(request.method === 'HEAD' ? undefined : text);
    },
    answerRaw: async (request, socket) => {
      const text = await body();
      const fields = Object.entries({ ...headOf(text), connection: 'close' });
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`HTTP/1.1 200 OK\r\n${lines}\r\n${request.method === 'HEAD' ? '' : text}`);
    },
  };
}

function headOf(text: string): Record<string, string | number> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
}
