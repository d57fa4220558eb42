import type { EngineReply } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { SendingServices } from '../call/gateway-services.ts';

/** What one worker is sent. */
export interface SentCall {
  body: Uint8Array | undefined;
  /** Below the worker's API, `/chat/completions`; beside it, `{ root: '/tokenize' }`. */
  path: string | { root: string };
}

/** Sends a call to one worker, once. @throws EngineUnreachable */
export function sendCall(
  { engines, options }: SendingServices,
  call: AdmittedCall,
  worker: Worker,
  { body, path }: SentCall,
): Promise<EngineReply> {
  return engines.send({
    method: call.request.method ?? 'POST',
    baseUrl: worker.url,
    path: typeof path === 'string' ? worker.apiPath + path : path.root,
    headers: call.headers,
    body,
    sessionId: call.session?.sessionId,
    maxContextTokens: call.session?.init.maxContextTokens,
    whenFull: options.whenFull,
    signal: call.life.signal,
  });
}
