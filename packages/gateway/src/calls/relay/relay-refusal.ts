import type { WireTranslation } from '@art/model-wires';
import type { Call } from '../call/call.ts';
import type { ProxyContext } from '../call/proxy-context.ts';
import type { WholeReply } from '../send/received-reply.ts';
import { sendWhole } from './send-whole.ts';
import { sendFailure } from '../call/tell-failure.ts';
import { unreadableReply, upstreamMessage } from '../send/upstream-failure.ts';

/** Passes a refusal of the engine on, with its status and its words; `translation` where the agent speaks another wire. */
export function relayRefusal(
  context: ProxyContext,
  call: Call,
  reply: WholeReply,
  translation: WireTranslation | undefined,
): void {
  context.metrics.error(`upstream_${reply.status}`);
  const message = upstreamMessage(reply.body.bytes);
  if (message === undefined || call.reply.state !== 'open') {
    sendFailure(call, {
      status: reply.status,
      message: message ?? unreadableReply(reply),
      code: 'upstream_error',
    });
    return;
  }
  sendWhole(call, reply, translation?.error(reply.status, message) ?? reply.body.bytes);
}
