import { parseJson } from '@art/ground';
import { captureReply } from '../../capture/capture-reply.ts';
import { readEngineError } from '../../engines/engine-error.ts';
import { ApiError } from '../../http/api-error.ts';
import { type ContextOverflow, overflowFailure, readContextOverflow } from '../../http/context-overflow.ts';
import { forwardedReplyHeaders } from '../../http/forwarded-headers.ts';
import type { AdmittedCall } from '../call/call.ts';
import { sendFailure } from '../call/call-failure.ts';
import type { RelayServices, StageServices } from '../call/gateway-services.ts';
import type { OpenedCall } from '../prepare/open-call.ts';
import type { WholeReply } from '../send/send-call.ts';
import { type AnsweredCall, storeCaptures } from './store-captures.ts';

/**
 * Passes a whole reply on: captured, stripped, stored, and only then sent. A refusal of the engine keeps its status and its
 * words, and leaves no capture.
 */
export async function relayWhole(
  services: RelayServices,
  call: OpenedCall,
  answer: AnsweredCall,
  reply: WholeReply,
): Promise<void> {
  const { prepared } = answer.ready;
  if (isRefusal(reply)) return relayRefusal(services, call, answer, reply);
  if (prepared === undefined) return sendWhole(call, reply, reply.body);
  await services.loopTurns.take(reply.body.length);
  const { body, captured } = captureReply(reply.body, prepared);
  if (captured.choices.length === 0 && wordsOf(reply.body) === undefined) {
    throw new ApiError({ status: 502, message: unreadable(reply), code: 'unreadable_reply' });
  }
  const translated = call.translation?.reply(Buffer.from(body).toString());
  // An agent that left has no reply to be trained on, and asks again.
  if (call.reply.state === 'gone') return call.charge?.answered(captured);
  await storeCaptures(services, call, answer, captured);
  sendWhole(call, reply, translated ?? body);
}

/** True if the worker sent an error instead of an answer. */
export function isRefusal({ status }: WholeReply): boolean {
  return status < 200 || status > 299;
}

/**
 * Passes a refusal of the engine on, with its status and its words, in the agent's API. That the context is full is said as that API
 * says it: agents shorten their conversation by that.
 */
export function relayRefusal(
  services: StageServices,
  call: OpenedCall,
  { ready }: AnsweredCall,
  reply: WholeReply,
): void {
  const message = wordsOf(reply.body);
  const overflow = overflowOf(services, ready, reply, message);
  if (overflow !== undefined) {
    services.metrics.contextFull();
    call.life.contextFull = true;
    sendFailure(call, overflowFailure(call.target.endpoint, overflow));
    return;
  }
  services.metrics.error(`upstream_${reply.status}`);
  if (message === undefined || call.reply.state !== 'open') {
    const { status } = reply;
    sendFailure(call, { status, message: message ?? unreadable(reply), code: 'upstream_error' });
    return;
  }
  const translation = ready.kind === 'native' ? undefined : call.translation;
  sendWhole(call, reply, translation?.error(reply.status, message) ?? reply.body);
}

function overflowOf(
  { options }: StageServices,
  { prepared }: AnsweredCall['ready'],
  { status }: WholeReply,
  words: string | undefined,
): ContextOverflow | undefined {
  if (options.whenFull === 'length' || words === undefined) return undefined;
  const params = parseJson(prepared?.samplingParams ?? '{}') as Readonly<Record<string, unknown>>;
  const asked = params['max_completion_tokens'] ?? params['max_tokens'];
  return readContextOverflow(status, words, typeof asked === 'number' ? asked : undefined);
}

/** Sends an engine's reply with another body or its own; behind a heartbeat, which has sent the status, only the body. */
export function sendWhole(
  { reply: agent }: AdmittedCall,
  reply: WholeReply,
  body: Uint8Array | string,
): void {
  if (agent.state !== 'open') {
    agent.end(body);
    return;
  }
  const headers = forwardedReplyHeaders(reply.headers);
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  agent.send(reply.status, headers, body);
}

const shownCharacters = 300;

/** The words of an engine's refusal; undefined where it is no JSON object. */
function wordsOf(body: Buffer): string | undefined {
  const error = readEngineError(body);
  return error && (error.message ?? body.toString('utf8', 0, shownCharacters));
}

/** The message for an answer that no engine would send, such as the page of a proxy. */
function unreadable({ headers, status, body }: WholeReply): string {
  const type = String(headers['content-type'] ?? 'no content type');
  const start = body.toString('utf8', 0, shownCharacters).trim();
  return `The worker answered ${status} with ${type} instead of JSON: ${start}`;
}
