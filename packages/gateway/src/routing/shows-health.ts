import type { EngineFlavour } from '../engines/engine-flavour.ts';

// A server without the route cannot say more than that it answers; a dead or a starting engine does not say this.
const noSuchRoute = new Set([404, 405]);

/** Whether a worker's answer to `GET /health` counts as life. */
export function showsHealth(status: number, flavour: EngineFlavour | undefined): boolean {
  return status === 200 || noSuchRoute.has(status) || (flavour === 'openai' && status < 500);
}
