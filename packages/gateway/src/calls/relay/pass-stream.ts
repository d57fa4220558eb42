import { EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Call } from '../call/call.ts';
import { eachChunk } from '../../engines/engine-dispatch.ts';
import type { Heartbeat } from '../call/heartbeat.ts';
import type { StreamReply } from '../send/received-reply.ts';
import { streamHeaders } from './stream-headers.ts';

/** A stream on its way from a worker to an agent. */
export interface PassedStream {
  reply: StreamReply;
  /** The worker's URL. */
  worker: string;
  heartbeat: Heartbeat | undefined;
  /** What the agent gets of a chunk, which may be nothing. */
  push: (chunk: Uint8Array) => Uint8Array | string;
}

/**
 * Sends status and headers, and passes everything on but the end, no faster than the agent reads.
 * @returns how the stream broke off; undefined where the engine ended it
 */
export async function passStream(
  call: Call,
  { reply, worker, heartbeat, push }: PassedStream,
): Promise<EngineUnreachable | undefined> {
  call.reply.commit(reply.status, streamHeaders(reply));
  call.reply.flushHeaders();
  const startedAt = performance.now();
  try {
    await eachChunk(reply.body, (chunk) => {
      const bytes = push(chunk);
      if (bytes.length === 0) return undefined;
      heartbeat?.sound();
      return call.reply.write(bytes);
    });
    return undefined;
  } catch (cause) {
    const failure = call.signal.aborted ? 'aborted' : 'broken';
    return new EngineUnreachable({ baseUrl: worker, failure, cause });
  } finally {
    call.engineMs = (call.engineMs ?? 0) + performance.now() - startedAt;
  }
}
