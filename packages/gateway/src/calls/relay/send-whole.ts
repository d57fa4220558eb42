import type { Call } from '../call/call.ts';
import { forwardedReplyHeaders } from '../../http/forwarded-headers.ts';
import type { WholeReply } from '../send/received-reply.ts';

/** Sends an engine's reply with another body or its own; behind a heartbeat, which has sent the status, only the body. */
export function sendWhole(call: Call, reply: WholeReply, body: Uint8Array | string): void {
  if (call.reply.state === 'open') {
    const headers = { ...forwardedReplyHeaders(reply.headers) };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    call.reply.send(reply.status, headers, body);
  } else {
    call.reply.end(body);
  }
}
