import { isJsonObject } from '@art/protocol';

import type { EngineRefusal } from './token-sampler.ts';

/** Whether an engine does not have the route, rather than that it refused the call. */
export function isMissingRoute({ status, body }: EngineRefusal): boolean {
  if (status === 405 || status === 501) return true;
  // An engine that has the route answers 404 as well, to a model that it does not know, and says so.
  return status === 404 && !namesAnError(body);
}

function namesAnError(body: Uint8Array): boolean {
  try {
    const document: unknown = JSON.parse(Buffer.from(body).toString());
    return isJsonObject(document) && (isJsonObject(document['error']) || document['object'] === 'error');
  } catch {
    return false;
  }
}
