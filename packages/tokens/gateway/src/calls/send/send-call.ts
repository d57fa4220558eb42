import { type EngineReply, EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { SendingServices } from '../call/gateway-services.ts';

/** A request to one worker. */
export interface SentCall {
  body: Uint8Array | undefined;
  /** Below the worker's API, `/chat/completions`; beside it, `{ root: '/tokenize' }`. */
  path: string | { root: string };
}

/** An engine's answer that is here in full. */
export interface WholeReply extends Omit<EngineReply, 'body'> {
  kind: 'whole';
  body: Buffer;
}

/** An engine's answer that is still being written. */
export interface StreamReply extends EngineReply {
  kind: 'stream';
}

/** Sends a call to one worker, once, and gives the reply as soon as there is a status. @throws EngineUnreachable */
export function sendCall(
  { engines, options }: SendingServices,
  call: AdmittedCall,
  worker: Worker,
  { body, path }: SentCall,
): Promise<EngineReply> {
  return call.meter.engineTime(() =>
    engines.send({
      method: call.request.method ?? 'POST',
      baseUrl: worker.url,
      path: typeof path === 'string' ? worker.apiPath + path : path.root,
      headers: call.headers,
      body,
      sessionId: call.session?.sessionId,
      maxContextTokens: call.session?.init.maxContextTokens,
      whenFull: options.whenFull,
      signal: call.life.signal,
    }),
  );
}

/** Sends a call as {@link sendCall}, counted where its session has ceilings. @throws ApiError 402 also where one is reached */
export async function sendCharged(
  services: SendingServices,
  call: AdmittedCall,
  worker: Worker,
  sent: SentCall & { model: string | undefined },
): Promise<EngineReply> {
  call.charge?.begin(sent.model);
  try {
    return await sendCall(services, call, worker, sent);
  } catch (error) {
    if (error instanceof EngineUnreachable && error.failure === 'not_connected') call.charge?.takeBack(false);
    throw error;
  }
}

/** Waits for the rest of a reply. @throws EngineUnreachable if it breaks off */
export async function receiveWhole(
  { meter, life }: AdmittedCall,
  worker: Worker,
  { body, ...reply }: EngineReply,
): Promise<WholeReply> {
  try {
    const chunks = await meter.engineTime(() => Array.fromAsync(body));
    return { kind: 'whole', ...reply, body: Buffer.concat(chunks) };
  } catch (cause) {
    const failure = life.signal.aborted ? 'aborted' : 'broken';
    throw new EngineUnreachable({ baseUrl: worker.url, failure, cause });
  }
}

/** True if a reply is a successful stream of events. */
export function isEventStream({ status, headers }: EngineReply): boolean {
  const type = headers['content-type'];
  if (status !== 200) return false;
  // Small servers say nothing of what they write, or that it is text. What is JSON after all shows in its first byte.
  if (type === undefined) return true;
  return (
    typeof type === 'string' && /^(?:text\/(?:event-stream|plain)|application\/octet-stream)\b/i.test(type)
  );
}
