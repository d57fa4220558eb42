import { Worker } from 'node:worker_threads';
import type { PingThread } from '../ping/ping-thread.ts';
import { openFrontDoor } from './open-front-door.ts';
import type { FrontDoorStart } from './thread/front-door-messages.ts';
import { SharedPingBoard } from './thread/shared-ping-board.ts';
import { threadProgram } from './thread-program.ts';

/**
 * Option `pingThread` of `AgentCoreRLApp`: a thread owns the public port, answers `GET /ping` also while a handler blocks the
 * event loop, and passes everything else on to the main thread, which listens at a port of the loopback interface.
 */
export function pingThread(): PingThread {
  return pingThreadBy(startThread);
}

/** @param start starts the thread */
export function pingThreadBy(start: typeof startThread): PingThread {
  const board = new SharedPingBoard();
  return { board, open: (host) => openFrontDoor(host, board, start) };
}

export function startThread(workerData: FrontDoorStart): Worker {
  const { program, options } = threadProgram;
  return new Worker(program, { ...options, name: 'art-ping', workerData, env: {} });
}
