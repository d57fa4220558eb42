import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointLogEntry, LocalMetrics } from '@art/local';
import { processUsage } from '../gateway/subjects/process-usage.ts';
import type { StreamModel, StreamPair, TrainerTask } from './reach-task.ts';
import { startReachBed } from './start-reach-bed.ts';

export interface ReachPlan {
  sessions: number;
  model: StreamModel;
  /** Processes that serve the agents of all sessions. */
  hosts: number;
}

export interface ReachMeasurement {
  pairs: StreamPair[];
  sockets: LocalMetrics['sockets'];
  /** Messages of all sockets, in both directions. */
  frames: number;
  /** Time of each session from its start until its socket was open, in milliseconds. */
  openMs: number[];
  /** From the start of the first session until all sockets were open. */
  allOpenMs: number;
  /** From then on until the last result was there. */
  streamingMs: number;
  /** CPU meanwhile, by process. */
  cpuMs: Record<string, number>;
}

/** Streams from a gateway to the agents of sessions, half of them through the sockets of these sessions. */
export async function measureReach(plan: ReachPlan): Promise<ReachMeasurement> {
  const { sessions, model, hosts: hostCount } = plan;
  await using bed = await startReachBed(hostCount);
  const { local, agentRuntimeArn, gatewayUrl, trainer, hosts, pids } = bed;
  const task: TrainerTask = {
    endpoint: local.endpoint,
    agentRuntimeArn,
    gatewayUrl,
    sessions,
    payload: { model, gatewayUrl },
  };
  const told = once(trainer.child, 'message') as Promise<[{ pairs: StreamPair[] }]>;
  const failed = new AbortController();
  trainer.child.once('exit', () => failed.abort(new Error('The trainer ended before it had its results.')));
  const until = async (isSo: (sockets: LocalMetrics['sockets']) => boolean): Promise<void> => {
    while (!isSo(local.metrics().sockets)) await delay(20, undefined, { signal: failed.signal });
  };
  const usage = () => Object.entries(pids).map(([name, pid]) => [name, processUsage(pid).cpuMs] as const);

  trainer.child.send(task);
  await until(({ open }) => open === sessions);
  const [before, startedMs] = [Object.fromEntries(usage()), performance.now()];
  for (const { child } of hosts) child.send('begin');
  const [{ pairs }] = await Promise.race([
    told,
    once(failed.signal, 'abort').then(() => Promise.reject(failed.signal.reason)),
  ]);
  const [cpuMs, streamingMs] = [
    usage().map(([name, ms]) => [name, ms - before[name]!]),
    performance.now() - startedMs,
  ];
  await until(({ open }) => open === 0);

  const log = local.endpointLog();
  const [begunMs, openedMs] = [timesOf(log, 'session_started'), timesOf(log, 'socket_opened')];
  return {
    pairs,
    sockets: local.metrics().sockets,
    frames: log.reduce((sum, entry) => sum + (entry.kind === 'socket_closed' ? entry.frames : 0), 0),
    openMs: Array.from(openedMs, ([id, atMs]) => atMs - begunMs.get(id)!),
    allOpenMs: Math.max(...openedMs.values()) - Math.min(...begunMs.values()),
    streamingMs,
    cpuMs: Object.fromEntries(cpuMs),
  };
}

/** By session: when it first happened. */
function timesOf(
  log: readonly EndpointLogEntry[],
  kind: 'session_started' | 'socket_opened',
): Map<string, number> {
  const times = new Map<string, number>();
  for (const entry of log) {
    if (entry.kind === kind && !times.has(entry.sessionId)) times.set(entry.sessionId, entry.atMs);
  }
  return times;
}
