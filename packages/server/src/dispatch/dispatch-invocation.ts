import { ArtError, isJsonObject, parseRipRequest, type RipRequest, stringifyJson } from '@art/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { freshId } from '../request/fresh-id.ts';
import { asRefusal, RequestRefusal } from '../request/request-refusal.ts';
import type { Invocations } from '../rip/invocations.ts';
import { invocationName, startInvocation } from '../rip/start-invocation.ts';
import { prepareRun, type RunDependencies, type RunRequest } from '../rollout/prepare-run.ts';
import { debugActionField, type DebugTargets, performDebugAction } from '../tasks/debug-actions.ts';
import type { RolloutWire, WireRollout } from '../wire/rollout-wire.ts';
import type { WireRollouts } from '../wire/wire-rollouts.ts';
import { answerInvocation, type OpenInvocations } from './answer-invocation.ts';
import type { PreparedHandler } from '../handler/prepared-handler.ts';

/** What `POST /invocations` can lead to. */
export interface DispatchTargets extends RunDependencies, DebugTargets {
  rolloutHandler: PreparedHandler | undefined;
  invocationHandler: PreparedHandler | undefined;
  invocations: Invocations;
  wires: readonly RolloutWire[];
  wireRollouts: WireRollouts;
  open: OpenInvocations;
  /** Whether requests without an envelope run in the background, too. */
  background: boolean;
  debug: boolean;
  closing: boolean;
}

/**
 * Decides what a request is, by what it carries: one of RIP (an envelope), a debug action, a rollout (`_rollout`, or what a
 * further wire recognises, or there is no other handler) or production traffic.
 */
export async function dispatchInvocation(
  request: FastifyRequest,
  reply: FastifyReply,
  targets: DispatchTargets,
): Promise<FastifyReply> {
  const payload = requireBody(request.body);
  const rip = asRefusal(() => parseRipRequest(payload), {});
  // Also while the app is closing: whoever asks is waiting for this very invocation.
  if (rip?.operation === 'get') {
    return sendJsonText(reply, await targets.invocations.get(invocationName(request, rip.invocationId)));
  }
  if (rip === undefined && targets.debug && isJsonObject(payload) && payload[debugActionField]) {
    const { statusCode, body } = await performDebugAction(payload[debugActionField], targets);
    return sendJson(reply.status(statusCode), body);
  }
  if (targets.closing) {
    throw new RequestRefusal({
      code: 'ART_SESSION_TERMINATED',
      statusCode: 503,
      error: 'The agent process is being stopped',
    });
  }
  const wired = rip === undefined ? readWires(payload, targets) : undefined;
  if (wired !== undefined) {
    if (!wired.background) targets.open.begin(reply);
    const run = { request, payload: payload as Record<string, unknown>, handler: handlerFor(true, targets) };
    const answer = await targets.wireRollouts.start(wired, run, targets);
    return sendJsonText(reply, stringifyJson(answer ?? null));
  }
  const start = rip ?? backgroundStart(payload, targets);
  if (start !== undefined) {
    const carried = payload as Record<string, unknown>;
    // When the app is closed it waits for the reply; the connection itself means nothing to the invocation.
    if (!start.background) targets.open.begin(reply);
    const handler = handlerFor(carries(payload, '_rollout') || carries(payload, '_config'), targets);
    return sendJsonText(reply, await startInvocation(request, start, carried, { ...targets, handler }));
  }
  if (carries(payload, '_rollout') || targets.invocationHandler === undefined) {
    const handler = handlerFor(true, targets);
    return sendJson(reply, await acceptRollout({ request, payload, handler }, targets));
  }
  const { invocationHandler: handler, open } = targets;
  return answerInvocation(request, reply, { payload, handler, open });
}

type RipStart = Extract<RipRequest, { operation: 'start' }>;

function backgroundStart(payload: unknown, { background }: DispatchTargets): RipStart | undefined {
  if (!background || !isJsonObject(payload) || carries(payload, '_rollout')) return undefined;
  return { operation: 'start', invocationId: freshId(), background: true };
}

function readWires(payload: unknown, { wires }: DispatchTargets): WireRollout | undefined {
  if (!isJsonObject(payload) || carries(payload, '_rollout')) return undefined;
  for (const wire of wires) {
    const wired = asRefusal(() => wire.read(payload), {});
    if (wired !== undefined) return wired;
  }
  return undefined;
}

function carries(payload: unknown, name: string): boolean {
  return isJsonObject(payload) && payload[name] !== undefined && payload[name] !== null;
}

function handlerFor(isRollout: boolean, targets: DispatchTargets): PreparedHandler {
  const { rolloutHandler, invocationHandler } = targets;
  const handler = isRollout ? (rolloutHandler ?? invocationHandler) : (invocationHandler ?? rolloutHandler);
  if (handler !== undefined) return handler;
  // The words of AWS's Python app.
  throw new ArtError({ code: 'ART_NO_HANDLER', message: 'No entrypoint defined' });
}

function requireBody(body: unknown): unknown {
  if (body !== undefined) return body;
  throw new RequestRefusal({
    code: 'ART_JSON_PARSE',
    statusCode: 400,
    error: 'Invalid JSON',
    details: 'The request has no body.',
  });
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return sendJsonText(reply, JSON.stringify(body));
}

function sendJsonText(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json').send(body);
}

/** What an accepted rollout is answered with, as it goes over the wire. */
type RolloutReply =
  | { status: 'processing' }
  | { status: 'processing'; s3_bucket: string; result_key: string };

/**
 * Takes a rollout on. The returned reply says where the result will be; the handler runs after it has been sent.
 * @throws as {@link prepareRun}, before anything is started
 */
async function acceptRollout(run: RunRequest, dependencies: RunDependencies): Promise<RolloutReply> {
  const { at, start } = await prepareRun(run, dependencies);
  start();
  return at === undefined
    ? { status: 'processing' }
    : { status: 'processing', s3_bucket: at.bucket, result_key: at.key };
}
