import { EngineUnreachable } from '../../engines/engine-transport.ts';
import { forwardedReplyHeaders } from '../../http/forwarded-headers.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { StreamReply } from '../send/send-call.ts';
import type { Worker } from '../../routing/worker.ts';

/**
 * Sends status and headers, and passes everything on but the end, no faster than the agent reads.
 * @param push what the agent gets of a chunk, which may be nothing
 * @returns how the stream broke off; undefined where the engine ended it
 */
export async function passStream(
  call: AdmittedCall,
  { reply, worker }: { reply: StreamReply; worker: Worker },
  push: (chunk: Uint8Array) => Uint8Array | string,
): Promise<EngineUnreachable | undefined> {
  call.reply.commit(reply.status, {
    ...forwardedReplyHeaders(reply.headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    // Proxies in between that buffer would turn the stream into one late answer.
    'x-accel-buffering': 'no',
  });
  call.reply.flushHeaders();
  try {
    await call.meter.engineTime(async () => {
      for await (const chunk of reply.body) {
        const bytes = push(chunk);
        if (bytes.length > 0) await call.reply.write(bytes);
      }
    });
    return undefined;
  } catch (cause) {
    const failure = call.life.signal.aborted ? 'aborted' : 'broken';
    return new EngineUnreachable({ baseUrl: worker.url, failure, cause });
  }
}
