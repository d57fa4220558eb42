import type { Call } from './call/call.ts';
import { forwardedReplyHeaders } from '../http/forwarded-headers.ts';
import { findString, JsonSyntaxError } from '@art/json-bytes';
import type { ProxyContext } from './call/proxy-context.ts';
import { sendToWorker } from './send/send-to-worker.ts';

/** Passes a call on as it is, and its answer byte for byte as it comes: lists of models, embeddings and the like. */
export async function passThrough(context: ProxyContext, call: Call): Promise<void> {
  const { body, target, reply } = call;
  const hasBody = body.length > 0;
  const model = context.pool.namesModels && hasBody ? modelIn(body) : undefined;
  const answer = await sendToWorker(
    context,
    call,
    {
      transport: context.http,
      model,
      prepare: () => ({ body: hasBody ? body : undefined, path: target.tail + target.query }),
    },
    (received) => received,
  );
  try {
    reply.commit(answer.reply.status, forwardedReplyHeaders(answer.reply.headers));
    for await (const chunk of answer.reply.body) await reply.write(chunk);
    reply.end();
  } catch (error) {
    // The status is out, and nothing can be added to bytes that are not ours: only a broken connection tells.
    context.metrics.error('upstream_broke_off');
    context.log.debug({ err: error, worker: answer.worker.url }, 'answer broke off');
    reply.destroy();
  } finally {
    answer.release();
  }
}

function modelIn(body: Uint8Array): string | undefined {
  try {
    return findString(body, ['model']);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
