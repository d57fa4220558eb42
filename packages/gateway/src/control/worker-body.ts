import { randomUUID } from 'node:crypto';
import { ArtError } from '@art/protocol';
import { resolveWorker } from '../options/resolve-gateway-options.ts';
import type { WorkerOptions } from '../routing/worker.ts';
import { resolveWorkerUrl } from '../routing/worker-url.ts';

/** A worker that is to be added. */
export interface WantedWorker {
  workerId: string;
  options: WorkerOptions;
}

/** Reads the body of `POST /admin/workers`; with `refusal`, what the caller is told with status 400. */
export function readWorker(body: Record<string, unknown>): WantedWorker | { refusal: string } {
  if (body['url'] === undefined || body['url'] === null || body['url'] === '') {
    return { refusal: 'url is required' };
  }
  const id = body['worker_id'];
  const workerId = typeof id === 'string' && id !== '' ? id : randomUUID();
  try {
    return { workerId, options: resolveWorker(workerOptions(body), 'worker') };
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_INVALID_OPTION') throw error;
    return { refusal: error.message };
  }
}

/** What is answered for one that was added. */
export function addedWorker({ workerId, options }: WantedWorker): string {
  const { url, apiPath } = resolveWorkerUrl(options.url, options.apiPath);
  return JSON.stringify({ worker_id: workerId, url, api_path: apiPath });
}

function workerOptions(body: Record<string, unknown>): WorkerOptions {
  const given = {
    url: body['url'],
    apiPath: body['api_path'],
    modelName: body['model_name'],
    weight: body['weight'],
    flavour: body['flavour'],
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present) as unknown as WorkerOptions;
}
