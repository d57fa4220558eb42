import type { EngineReply } from '@art/gateway/engine-port';
import type { EngineRefusal } from './token-sampler.ts';

/** An engine's refusal that the agent is to have in the engine's own words. */
export class EngineRefused extends Error {
  readonly refusal: EngineRefusal;

  constructor(refusal: EngineRefusal) {
    super(`The engine refused the call with ${refusal.status}.`);
    this.name = 'EngineRefused';
    this.refusal = refusal;
  }
}

/** The refusal as a reply. Of its headers only those that its own body has to do with, and when to try again. */
export function refusedReply({ status, headers, body }: EngineRefusal): EngineReply {
  const kept: Record<string, string | string[]> = {
    'content-type': headers['content-type'] ?? 'application/json',
  };
  if (headers['retry-after'] !== undefined) kept['retry-after'] = headers['retry-after'];
  return { status, headers: kept, body: once(body) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
