import { hasGivenUp } from '../../model-wires/chat/has-given-up.ts';
import type { ApiFailure } from '../../http/api-error.ts';
import type { WholeReply } from './send-call.ts';

/**
 * The message for an answer that the engine did not finish. Engines abort answers when weights are loaded, for example.
 */
export function gaveUp(finishReason: string): ApiFailure {
  const message = `The engine gave up on the answer (finish reason "${finishReason}"). Try again.`;
  return { status: 503, message, code: 'engine_gave_up' };
}

/**
 * A whole reply as it is, or as a refusal with a status that may be tried again where the engine gave up on a choice: half an
 * answer is none.
 */
export function refusedWhereGivenUp(reply: WholeReply): WholeReply {
  const finishReason = reply.status === 200 ? givenUpReason(reply.body) : undefined;
  if (finishReason === undefined) return reply;
  const { status, message, code } = gaveUp(finishReason);
  const body = { error: { message, type: 'service_unavailable', param: null, code } };
  const headers = { 'content-type': 'application/json' };
  return { ...reply, status, headers, body: Buffer.from(JSON.stringify(body)) };
}

const key = Buffer.from('"finish_reason"');
const readBytes = 64;
const backslash = 0x5c;

// Most replies are long and only this one field of them matters here. In a text its quotes would be escaped.
function givenUpReason(body: Buffer): string | undefined {
  for (let at = body.indexOf(key); at !== -1; at = body.indexOf(key, at + 1)) {
    const text = body.toString('latin1', at + key.length, at + key.length + readBytes);
    const reason = /^\s*:\s*"(\w+)"/.exec(text)?.[1];
    if (body[at - 1] !== backslash && hasGivenUp(reason)) return reason;
  }
  return undefined;
}
