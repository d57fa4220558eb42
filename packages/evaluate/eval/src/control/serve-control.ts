import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ArtError, describeValue, readMember, makeDirectory, describeThrown } from '@art/ground';
import { replaceFile } from '@art/store';
import type { RunHandle } from '@art/rollout';
import type { StatusRecord } from '../records/status-record.ts';
import { askRun } from './ask-run.ts';
import { addressFile, longestSocketPathBytes, socketInFolder } from './control-address.ts';
import { highestConcurrency } from './highest-concurrency.ts';

/** What of a run can be changed while it goes on. */
export interface RunControl {
  /** Its rollouts; undefined while it starts. */
  run: Pick<RunHandle<unknown>, 'limit' | 'pause' | 'resume'> | undefined;
  /** Ends the run in order. */
  stop: (reason: unknown) => void;
  status: () => StatusRecord | undefined;
}

const longestRequest = 1_000;

/**
 * Listens in the folder of a run for what a person wants of it. The socket is also what tells that a process works on the run.
 * @param isServed whether anything can be asked @default true
 * @throws ArtError `ART_JOURNAL_LOCKED` where another process works on the run
 */
export async function serveControl(
  folder: string,
  control: RunControl,
  isServed = true,
): Promise<AsyncDisposable> {
  await makeDirectory(folder, 0o700);
  await assertFree(folder);
  if (!isServed) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const { path, remove } = await socketPath(folder);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    answer(socket, control);
  });
  // A listening socket alone must not keep a finished program alive.
  server.unref();
  await listen(server, path);
  await chmod(path, 0o600);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await remove();
    },
  };
}

async function assertFree(folder: string): Promise<void> {
  let pid: number | undefined;
  try {
    pid = (await askRun(folder, { command: 'status' }))?.pid;
  } catch (error) {
    if (ArtError.isInstance(error) && error.code === 'ART_RUN_NOT_LIVE') return;
    throw error;
  }
  throw new ArtError({
    code: 'ART_JOURNAL_LOCKED',
    message: `Expected that nobody works on the run in ${folder}, but process ${pid ?? 'of another run'} does. Wait for it, or end it with "art ctl stop ${folder}".`,
  });
}

/** In the folder itself, or in a folder of its own below the temporary one where the path would be too long for a socket. */
async function socketPath(folder: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const pointer = join(folder, addressFile);
  const near = await socketInFolder(folder);
  await rm(pointer, { force: true });
  // Of a process that was killed.
  await rm(near, { force: true });
  if (Buffer.byteLength(near) <= longestSocketPathBytes)
    return { path: near, remove: () => rm(near, { force: true }) };
  const path = join(await mkdtemp(join(tmpdir(), 'art-')), 's');
  await replaceFile(pointer, `${JSON.stringify({ socket: path })}\n`);
  return {
    path,
    remove: async () => {
      await rm(pointer, { force: true });
      await rm(dirname(path), { recursive: true, force: true });
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  return promise;
}

function answer(socket: Socket, control: RunControl): void {
  socket.on('error', () => undefined);
  socket.setEncoding('utf8');
  let request = '';
  const onData = (part: string): void => {
    request += part;
    if (request.length > longestRequest) socket.destroy();
    if (!request.includes('\n')) return;
    socket.off('data', onData);
    socket.resume();
    let reply: object;
    try {
      obey(JSON.parse(request.slice(0, request.indexOf('\n'))), control);
      reply = { status: control.status() };
    } catch (error) {
      reply = { error: describeThrown(error).message };
    }
    socket.end(`${JSON.stringify(reply)}\n`);
  };
  socket.on('data', onData);
}

function obey(request: unknown, { run, stop }: RunControl): void {
  const command = readMember(request, 'command');
  const value = readMember(request, 'value');
  const started = (): NonNullable<RunControl['run']> => {
    if (run === undefined) throw new Error('The run is starting. Try again in a moment.');
    return run;
  };
  if (command === 'pause' || command === 'resume') started()[command]();
  else if (command === 'concurrency') {
    if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > highestConcurrency)
      throw new Error(`Expected a concurrency from 1 to ${highestConcurrency}, got ${describeValue(value)}.`);
    started().limit = value as number;
  } else if (command === 'stop') {
    stop(new ArtError({ code: 'ART_RUN_STOPPED', message: 'The run was ended by "art ctl stop".' }));
  } else if (command !== 'status')
    throw new Error(`Expected a command of a run, got ${describeValue(command)}.`);
}
