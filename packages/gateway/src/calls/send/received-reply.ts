import { type EngineReply, EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import type { Call } from '../call/call.ts';
import { EngineBody } from '../../engines/engine-dispatch.ts';
import { WholeBody } from '../../http/whole-body.ts';

/** An engine's answer that is here in full. */
export interface WholeReply {
  kind: 'whole';
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: WholeBody;
}

/** An engine's answer that is still being written. */
export interface StreamReply extends EngineReply {
  kind: 'stream';
}

/** Waits for the rest of a reply. @throws EngineUnreachable if it breaks off */
export async function receiveWhole(reply: EngineReply, worker: Worker, call: Call): Promise<WholeReply> {
  let chunks: Uint8Array[];
  try {
    chunks = reply.body instanceof EngineBody ? await reply.body.whole() : await Array.fromAsync(reply.body);
  } catch (cause) {
    throw new EngineUnreachable({
      baseUrl: worker.url,
      failure: call.signal.aborted ? 'aborted' : 'broken',
      cause,
    });
  }
  return { kind: 'whole', status: reply.status, headers: reply.headers, body: new WholeBody(chunks) };
}

/** Takes a successful event stream as it comes, and waits for everything else. */
export async function receiveStream(
  reply: EngineReply,
  worker: Worker,
  call: Call,
): Promise<WholeReply | StreamReply> {
  if (reply.status === 200 && isEventStream(reply.headers)) return { kind: 'stream', ...reply };
  return await receiveWhole(reply, worker, call);
}

function isEventStream(headers: Readonly<Record<string, string | string[]>>): boolean {
  const type = headers['content-type'];
  // Small servers say nothing of what they write, or that it is text. What is JSON after all shows in its first byte.
  if (type === undefined) return true;
  return (
    typeof type === 'string' && /^(?:text\/(?:event-stream|plain)|application\/octet-stream)\b/i.test(type)
  );
}
