import type { RawData, WebSocket } from 'ws';
import type { SocketEnd } from '../service/endpoint-log.ts';
import { FrameMeter, type WebSocketLimits } from './frame-meter.ts';

/** One connection: the caller's socket, the agent's, and what rules both. */
export interface RelayedSocket {
  caller: WebSocket;
  agent: WebSocket;
  limits: WebSocketLimits;
  /** Aborts when the session ends. */
  ending: AbortSignal;
  nowMs: () => number;
  /** Called with every frame, a ping or a pong too. */
  onFrame: () => void;
}

/** Figures of a connection. */
export interface SocketReport {
  reason: SocketEnd;
  frames: number;
  largestFrameBytes: number;
  /** The most in any second in one direction. */
  mostFramesPerSecond: number;
}

// Above it the side that sends has to wait until the other side has taken what is there.
const maxBufferedBytes = 1_048_576;
const goingAway = 1001;

/** Passes frames on in both directions until one side closes, the session or the time of the connection ends, or a limit is broken. */
export async function relaySocket(socket: RelayedSocket): Promise<SocketReport> {
  const { caller, agent, limits, ending } = socket;
  const meters = [new FrameMeter(limits), new FrameMeter(limits)] as const;
  const { promise, resolve: end } = Promise.withResolvers<SocketEnd>();
  pass(caller, agent, meters[0], socket, () => end('caller'), end);
  pass(agent, caller, meters[1], socket, () => end('agent'), end);
  const onSessionEnd = (): void => end('session_ended');
  ending.addEventListener('abort', onSessionEnd);
  if (ending.aborted) onSessionEnd();
  const timer = setTimeout(() => end('duration'), limits.maxDurationMs);
  agent.resume();
  const reason = await promise;
  clearTimeout(timer);
  ending.removeEventListener('abort', onSessionEnd);
  if (reason === 'frame_size' || reason === 'frame_rate') {
    // As the service does it: without a word.
    caller.terminate();
    agent.terminate();
  } else if (reason === 'session_ended' || reason === 'duration') {
    caller.close(goingAway);
    agent.close(goingAway);
  }
  return {
    reason,
    frames: meters[0].frames + meters[1].frames,
    largestFrameBytes: Math.max(...meters.map((meter) => meter.largestFrameBytes)),
    mostFramesPerSecond: Math.max(...meters.map((meter) => meter.mostFramesPerSecond)),
  };
}

function pass(
  from: WebSocket,
  to: WebSocket,
  meter: FrameMeter,
  { nowMs, onFrame }: RelayedSocket,
  onClose: () => void,
  onBroken: (limit: 'frame_size' | 'frame_rate') => void,
): void {
  const counted = (data: Buffer, send: () => void): void => {
    onFrame();
    const broken = meter.count(data.length, nowMs());
    if (broken !== undefined) onBroken(broken);
    else if (to.readyState === to.OPEN) send();
  };
  from.on('message', (data: RawData, isBinary) => {
    counted(data as Buffer, () => {
      const isFull = to.bufferedAmount > maxBufferedBytes;
      if (isFull) from.pause();
      to.send(data, { binary: isBinary }, () => {
        if (isFull) from.resume();
      });
    });
  });
  from.on('ping', (data) => counted(data, () => to.ping(data)));
  from.on('pong', (data) => counted(data, () => to.pong(data)));
  from.once('close', (code, reason) => {
    // 1005: no code was given. 1006: the connection broke. Neither may be sent.
    if (code === 1006) to.terminate();
    else if (code === 1005) to.close();
    else to.close(code, reason);
    onClose();
  });
}
