import { Worker } from 'node:worker_threads';

import type { RenderThreadData } from './render-job.ts';

/** A started render thread; `Worker` fits. */
export type RenderThread = Pick<Worker, 'on' | 'postMessage' | 'terminate' | 'ref' | 'unref'>;

/** Starts the worker from its source where the sources run, and from its own bundle where the package is built. */
export function startRenderThread(data: RenderThreadData): RenderThread {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? './render-worker.ts' : './tokens/render-worker.js', import.meta.url);
  return new Worker(file, {
    workerData: data,
    name: 'art-render',
    ...(fromSource ? { execArgv: ['--conditions=@art/source'] } : {}),
  });
}
