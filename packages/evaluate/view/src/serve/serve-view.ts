import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ArtError, refuseMalformed, requestTimeLimits, describeThrown } from '@art/ground';
import { findRuns, type RunFolder } from '../read/find-runs.ts';
import { jsonLine } from '../report/json-text.ts';
import { packRows } from '../report/sample-row.ts';
import { pageDocument, type PageDocument } from './page-document.ts';
import { annotationIn } from './annotation-in.ts';
import { whyRefused } from './request-fault.ts';
import { RunReader } from './run-reader.ts';

export interface ServeViewOptions {
  /** Folders of runs, or folders of such folders. */
  folders: readonly string[];
  /** @default 0, which takes a free one */
  port?: number | undefined;
}

/** The page, served on loopback until it is closed. */
export interface ServedView extends AsyncDisposable {
  /** Such as `http://127.0.0.1:41234/`. */
  url: string;
  runs: readonly RunFolder[];
  close(): Promise<void>;
}

const rowsAtOnce = 10_000;

/**
 * Serves the page that shows runs, also while they continue, on loopback only.
 * @throws ArtError `ART_INVALID_OPTION` where a folder has no run; `ART_PORT_TAKEN`
 */
export async function serveView({ folders, port = 0 }: ServeViewOptions): Promise<ServedView> {
  const runs = await findRuns(folders);
  const page = await pageDocument({ metaPolicy: false });
  const readers = runs.map((run) => new RunReader(run));
  // A run of 50,000 samples takes a second; anyone who opens the page meanwhile sees what has been read.
  for (const reader of readers) reader.refresh();
  const server = createServer(requestTimeLimits, (request, response) => {
    answer(request, response, page, readers).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, describeThrown(error).message);
    });
  });
  server.on('clientError', refuseMalformed);
  await listen(server, port);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
    await Promise.all(readers.map((reader) => reader.settled()));
  };
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${taken}/`, runs, close, [Symbol.asyncDispose]: close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  page: PageDocument,
  readers: readonly RunReader[],
): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
  const fault = whyRefused(request);
  if (fault !== undefined) return sendText(response, fault.status, fault.message);
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (url.pathname === '/') return sendPage(response, page);
  const from = Number(url.searchParams.get('from') ?? 0);
  const [, api, number, what, at] = url.pathname.split('/');
  if (api !== 'runs' || !Number.isSafeInteger(from) || from < 0) return sendText(response, 404, 'Not found.');
  if (number === undefined) return sendJson(response, await Promise.all(readers.map((it) => it.info())));
  const reader = readers[Number(number)];
  if (reader === undefined) return sendText(response, 404, 'Not found.');
  const { run } = reader;
  if (request.method === 'POST') return takeAnnotation(request, response, run);
  if (what === 'health') return sendJson(response, await run.health());
  if (run.kind === 'training' && what === 'steps') return sendJson(response, run.steps(from, rowsAtOnce));
  if (run.kind === 'groups' && what === 'groups') return sendJson(response, run.groups(from, rowsAtOnce));
  if (run.kind === 'evaluation') {
    if (what === 'rows') return sendJson(response, packRows(run.rows(from, rowsAtOnce)));
    const text = url.searchParams.get('text') ?? '';
    if (what === 'said' && text !== '')
      return sendJson(response, await run.said(text, from, untilClosed(response)));
    const detail = what === 'samples' ? await reader.find(() => run.detail(Number(at))) : undefined;
    if (detail !== undefined) return sendJson(response, detail);
  }
  sendText(response, 404, 'Not found.');
}

async function takeAnnotation(
  request: IncomingMessage,
  response: ServerResponse,
  run: RunFolder,
): Promise<void> {
  try {
    sendJson(response, await annotationIn(request, run));
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    const status = error.code === 'ART_INVALID_OPTION' ? 400 : 409;
    sendText(response, status, `${error.message} (${error.code})`);
  }
}

/** Aborts when the caller has left: nobody wants the answer any more. */
function untilClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

function sendPage(response: ServerResponse, page: PageDocument): void {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${page.policy("'self'")}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  response.end(page.head + page.tail);
}

function sendJson(response: ServerResponse, value: unknown): void {
  let text: string;
  try {
    text = jsonLine(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return sendText(
      response,
      413,
      `This is more than one answer can hold: ${error.message}. The files of the run have it.`,
    );
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(text);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

async function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    reject(error.code === 'EADDRINUSE' ? portTaken(port, error) : error);
  });
  server.listen(port, '127.0.0.1', resolve);
  await promise;
}

function portTaken(port: number, cause: Error): ArtError {
  return new ArtError({
    code: 'ART_PORT_TAKEN',
    message: `Port ${port} is taken by another program. Choose another one, or 0 for any that is free.`,
    cause,
  });
}
