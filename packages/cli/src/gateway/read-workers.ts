import type { WorkerState } from './gateway-event.ts';

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
