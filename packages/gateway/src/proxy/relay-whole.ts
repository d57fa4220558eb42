import { captureReply } from '../capture/capture-reply.ts';
import type { Call } from './call.ts';
import { ApiError } from './api-error.ts';
import type { Exchange, PreparedExchange } from './exchange.ts';
import { exchangeTraces } from './exchange-traces.ts';
import { forwardedReplyHeaders } from './forwarded-headers.ts';
import type { ProxyContext } from './proxy-context.ts';
import type { WholeReply } from './received-reply.ts';
import { storeTraces } from './store-traces.ts';
import { sendFailure } from './tell-failure.ts';
import { unreadableReply, upstreamMessage } from './upstream-failure.ts';

/** What is relayed. */
export interface WholeAnswer {
  exchange: Exchange;
  prepared: PreparedExchange;
  reply: WholeReply;
  /** The worker's URL. */
  worker: string;
}

/**
 * Passes a whole reply on: captured, stripped, stored, and only then sent. A refusal of the engine keeps its status and its
 * words, and leaves no trace.
 */
export async function relayWhole(context: ProxyContext, call: Call, answer: WholeAnswer): Promise<void> {
  const { exchange, reply, worker } = answer;
  const { prepared } = answer.prepared;
  if (reply.status < 200 || reply.status > 299) return relayRefusal(context, call, answer);
  if (prepared === undefined) return send(call, reply, reply.bytes);
  const { body, captured } = captureReply(reply.bytes, prepared);
  if (captured.choices.length === 0 && upstreamMessage(reply.bytes) === undefined) {
    throw new ApiError({ status: 502, message: unreadableReply(reply), code: 'unreadable_reply' });
  }
  const rawReply = reply.bytes;
  const traces = exchangeTraces(context, call, { exchange, prepared, captured, worker, rawReply });
  const translated = exchange.translation?.reply(Buffer.from(body).toString());
  // An agent that left has no reply to be trained on, and asks again.
  if (call.reply.state === 'gone') return;
  await storeTraces(context, call, traces);
  send(call, reply, translated ?? body);
}

function relayRefusal(context: ProxyContext, call: Call, { exchange, reply }: WholeAnswer): void {
  context.metrics.error(`upstream_${reply.status}`);
  const message = upstreamMessage(reply.bytes);
  if (message === undefined || call.reply.state !== 'open') {
    sendFailure(call, {
      status: reply.status,
      message: message ?? unreadableReply(reply),
      code: 'upstream_error',
    });
    return;
  }
  send(call, reply, exchange.translation?.error(reply.status, message) ?? reply.bytes);
}

function send(call: Call, reply: WholeReply, body: Uint8Array | string): void {
  if (call.reply.state === 'open') {
    const headers = { ...forwardedReplyHeaders(reply.headers) };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    call.reply.send(reply.status, headers, body);
  } else {
    call.reply.end(body);
  }
}
