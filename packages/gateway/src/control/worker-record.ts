import type { WorkerFlavours } from '../routing/worker-flavours.ts';
import type { Worker } from '../routing/worker.ts';

/** A worker as it goes over the wire. */
export function workerRecord(worker: Worker, flavours: WorkerFlavours): Record<string, unknown> {
  return {
    worker_id: worker.workerId,
    url: worker.url,
    api_path: worker.apiPath,
    model_name: worker.modelName ?? null,
    weight: worker.weight,
    healthy: worker.health.kind === 'healthy',
    active_requests: worker.activeCalls,
    flavour: flavours.knownOf(worker) ?? null,
  };
}
