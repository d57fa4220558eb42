import { chmod, rm, rmdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import {
  ArtError,
  CleanupStack,
  describeThrown,
  describeValue,
  holdFolder,
  makeDirectory,
  readMember,
} from '@art/ground';
import type { RunHandle } from '@art/rollout';
import type { StatusRecord } from '../records/status-record.ts';
import { newControlAddress } from './control-address.ts';
import { highestConcurrency } from './highest-concurrency.ts';

/** Controls of a run while it continues. */
export interface RunControl {
  /** Its rollouts; undefined while it starts. */
  run: Pick<RunHandle<unknown>, 'limit' | 'pause' | 'resume'> | undefined;
  /** Ends the run in order. */
  stop: (reason: unknown) => void;
  status: () => StatusRecord | undefined;
}

const longestRequest = 1_000;

/**
 * Takes the folder of a run for this process, and listens for what a person wants of the run.
 * @param isServed whether anything can be asked @default true
 * @throws ArtError `ART_FOLDER_HELD` where another process works on the run
 */
export async function serveControl(
  folder: string,
  control: RunControl,
  isServed = true,
): Promise<AsyncDisposable> {
  const path = newControlAddress(folder);
  await using parts = new CleanupStack();
  parts.use(
    await holdFolder(folder, {
      what: `the run in ${folder}`,
      advice: `Wait for it, or end it with "art ctl stop ${folder}".`,
      facts: isServed ? { socket: path } : {},
    }),
  );
  if (!isServed) return parts.move();
  await makeDirectory(dirname(path), 0o700);
  // Of a process that was killed.
  await rm(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    answer(socket, control);
  });
  // A listening socket alone must not keep a finished program alive.
  server.unref();
  await listen(server, path);
  parts.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await rm(path, { force: true });
    if (dirname(path) !== resolve(folder)) await rmdir(dirname(path)).catch(() => undefined);
  });
  await chmod(path, 0o600);
  return parts.move();
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
