import { forwardedReplyHeaders } from '../http/forwarded-headers.ts';
import type { AdmittedCall } from './call/call.ts';
import type { SendingServices } from './call/gateway-services.ts';
import { sendCall, sendCharged } from './send/send-call.ts';
import { modelIn, tryWorkers } from './send/try-workers.ts';

/** Passes a call on as it is, and its answer byte for byte as it comes: lists of models, embeddings and the like. */
export async function passThrough(services: SendingServices, call: AdmittedCall): Promise<void> {
  const { target, reply } = call;
  const body = call.body.length > 0 ? call.body : undefined;
  const sent = { body, path: target.tail + target.query };
  const isFree = call.request.method !== 'POST';
  const answer = await tryWorkers(services, call, async (worker) => ({
    reply: isFree
      ? await sendCall(services, call, worker, sent)
      : await sendCharged(services, call, worker, { ...sent, model: modelIn(call.body) }),
  }));
  try {
    reply.commit(answer.reply.status, forwardedReplyHeaders(answer.reply.headers));
    for await (const chunk of answer.reply.body) await reply.write(chunk);
    reply.end();
  } catch (error) {
    // The status is out, and nothing can be added to bytes that are not ours: only a broken connection shows the failure.
    services.metrics.error('upstream_broke_off');
    services.log.debug({ err: error, worker: answer.worker.url }, 'answer broke off');
    reply.destroy();
  } finally {
    answer.release();
  }
}
