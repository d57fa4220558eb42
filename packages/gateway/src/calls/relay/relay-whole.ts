import { captureReply } from '../../capture/capture-reply.ts';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import type { Call } from '../call/call.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Exchange } from '../prepare/exchange.ts';
import { exchangeTraces } from './exchange-traces.ts';
import type { ProxyContext } from '../call/proxy-context.ts';
import type { WholeReply } from '../send/received-reply.ts';
import { relayRefusal } from './relay-refusal.ts';
import { sendWhole } from './send-whole.ts';
import { storeTraces } from './store-traces.ts';
import { unreadableReply, upstreamMessage } from '../send/upstream-failure.ts';

/** What is relayed. */
export interface WholeAnswer {
  exchange: Exchange;
  /** Undefined where the body was no JSON object. */
  prepared: PreparedCall | undefined;
  reply: WholeReply;
  /** The worker's URL. */
  worker: string;
}

/**
 * Passes a whole reply on: captured, stripped, stored, and only then sent. A refusal of the engine keeps its status and its
 * words, and leaves no trace.
 */
export async function relayWhole(context: ProxyContext, call: Call, answer: WholeAnswer): Promise<void> {
  const { exchange, prepared, reply, worker } = answer;
  if (reply.status < 200 || reply.status > 299) {
    return relayRefusal(context, call, reply, exchange.translation);
  }
  if (prepared === undefined) return sendWhole(call, reply, reply.body.bytes);
  await context.turns.take(reply.body.byteLength);
  const { body, captured } = captureReply(reply.body.bytes, prepared);
  if (captured.choices.length === 0 && upstreamMessage(reply.body.bytes) === undefined) {
    throw new ApiError({ status: 502, message: unreadableReply(reply), code: 'unreadable_reply' });
  }
  const rawReply = context.options.keepRawBodies ? reply.body.bytes : undefined;
  const traces = exchangeTraces(context, call, { wire: exchange.wire, prepared, captured, worker, rawReply });
  const translated = exchange.translation?.reply(Buffer.from(body).toString());
  // An agent that left has no reply to be trained on, and asks again.
  if (call.reply.state === 'gone') return;
  await storeTraces(context, call, traces);
  sendWhole(call, reply, translated ?? body);
}
