import { pause } from '@art/ground';
import type { Tell } from '../terminal/event-writer.ts';
import type { GatewayEvent, WorkerState } from './gateway-event.ts';

/**
 * Tells what changes among the workers: those of the command line, and those that a trainer adds.
 * @param read the workers that there are now
 * @param signal ends it
 */
export async function followWorkers(
  read: (signal: AbortSignal) => Promise<readonly WorkerState[]>,
  emit: Tell<Extract<GatewayEvent, { event: 'worker' }>>,
  signal: AbortSignal,
  intervalMs = 1_000,
): Promise<void> {
  let known = new Map<string, WorkerState>();
  while (!signal.aborted) {
    // Where there is no answer it is busy, or going down; the next look tells.
    const workers = await read(signal).catch(() => [...known.values()]);
    const before = known;
    known = new Map(workers.map((worker) => [worker.workerId, worker]));
    for (const worker of workers) {
      const earlier = before.get(worker.workerId);
      if (earlier === undefined) emit({ event: 'worker', change: 'added', ...worker });
      else if (earlier.healthy !== worker.healthy)
        emit({ event: 'worker', change: worker.healthy ? 'up' : 'down', ...worker });
    }
    for (const [workerId, worker] of before) {
      if (!known.has(workerId)) emit({ event: 'worker', change: 'removed', ...worker });
    }
    await pause(intervalMs, { signal }).catch(() => undefined);
  }
}

interface WireWorker {
  worker_id: string;
  url: string;
  healthy: boolean;
  flavour: string | null;
}

const timeoutMs = 5_000;

/** The workers of a gateway, as `GET /health/workers` tells them. */
export async function readWorkers(
  url: string,
  adminToken: string | undefined,
  signal: AbortSignal,
): Promise<WorkerState[]> {
  const response = await fetch(`${url}/health/workers`, {
    headers: adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (!response.ok) throw new Error(`GET /health/workers: ${response.status}`);
  const { workers } = (await response.json()) as { workers: WireWorker[] };
  return workers.map(({ worker_id: workerId, url: workerUrl, healthy, flavour }) => ({
    workerId,
    url: workerUrl,
    healthy,
    flavour,
  }));
}
