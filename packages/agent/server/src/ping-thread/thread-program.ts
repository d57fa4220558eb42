import type { WorkerOptions } from 'node:worker_threads';

/**
 * The program of the thread. An agent may be bundled into a single file, so the thread cannot have a separate one. The
 * build of this package bundles `thread/main.ts` and puts its text here, see tsup.config.ts.
 */
export const threadProgram: { program: string | URL; options: WorkerOptions } = {
  program: new URL('./thread/main.ts', import.meta.url),
  options: { execArgv: ['--conditions=@art/source'] },
};
