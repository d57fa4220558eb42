import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestContext } from './request-context.ts';

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the request or rollout that the calling code belongs to; undefined outside of handlers. */
export function getContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs code so that {@link getContext} finds `context`, also after awaits. */
export function runWithContext<T>(context: RequestContext, run: () => T): T {
  return storage.run(context, run);
}
