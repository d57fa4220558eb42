import { type EngineReply, EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';

/** An engine's answer that is here in full. */
export interface WholeReply extends Omit<EngineReply, 'body'> {
  kind: 'whole';
  body: Buffer;
}

/** An engine's answer that is still being written. */
export interface StreamReply extends EngineReply {
  kind: 'stream';
}

/** Waits for the rest of a reply. @throws EngineUnreachable if it breaks off */
export async function receiveWhole(
  { body, ...reply }: EngineReply,
  worker: Worker,
  signal: AbortSignal,
): Promise<WholeReply> {
  try {
    return { kind: 'whole', ...reply, body: Buffer.concat(await Array.fromAsync(body)) };
  } catch (cause) {
    const failure = signal.aborted ? 'aborted' : 'broken';
    throw new EngineUnreachable({ baseUrl: worker.url, failure, cause });
  }
}

/** Takes a successful event stream as it comes, and waits for everything else. */
export async function receiveStream(
  reply: EngineReply,
  worker: Worker,
  signal: AbortSignal,
): Promise<WholeReply | StreamReply> {
  if (reply.status === 200 && isEventStream(reply.headers)) return { kind: 'stream', ...reply };
  return await receiveWhole(reply, worker, signal);
}

function isEventStream(headers: EngineReply['headers']): boolean {
  const type = headers['content-type'];
  // Small servers say nothing of what they write, or that it is text. What is JSON after all shows in its first byte.
  if (type === undefined) return true;
  return (
    typeof type === 'string' && /^(?:text\/(?:event-stream|plain)|application\/octet-stream)\b/i.test(type)
  );
}
