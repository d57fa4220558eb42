/** What of a worker's record differs between the processes that ask it. */
export interface WorkerRecord extends Record<string, unknown> {
  worker_id: string;
  healthy: boolean;
  active_requests: number;
  flavour: string | null;
}

/** The workers as all processes see them: healthy where all say so, busy with the calls of all. */
export function mergeWorkers(lists: readonly (readonly WorkerRecord[])[]): WorkerRecord[] {
  const merged = new Map<string, WorkerRecord>();
  for (const record of lists.flat()) {
    const known = merged.get(record.worker_id);
    merged.set(record.worker_id, known === undefined ? record : mergedWith(known, record));
  }
  return [...merged.values()];
}

function mergedWith(one: WorkerRecord, other: WorkerRecord): WorkerRecord {
  return {
    ...one,
    healthy: one.healthy && other.healthy,
    active_requests: one.active_requests + other.active_requests,
    flavour: one.flavour ?? other.flavour,
  };
}
