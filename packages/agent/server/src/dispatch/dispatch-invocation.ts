import { ArtError, freshId, isJsonObject } from '@art/ground';
import { parseRipRequest, type RipRequest, ripEnvelopeField } from '@art/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PreparedHandler } from '../handler/prepared-handler.ts';
import { namedSessionIdOf } from '../request/create-request-context.ts';
import { asRefusal, RequestRefusal } from '../request/request-refusal.ts';
import type { InvocationName } from '../rip/invocation-records.ts';
import type { RipReply, Invocations } from '../rip/invocations.ts';
import { prepareRun, type RunDependencies, type HandlerRequest } from '../rollout/prepare-run.ts';
import type { PingStatusDecision } from '../ping/ping-status.ts';
import type { AsyncTasks } from '../ping/async-tasks.ts';
import type { RolloutWire, WireRollout } from '../wire/rollout-wire.ts';
import { startWireRollout, type WireRollouts } from '../wire/start-wire-rollout.ts';
import { acceptRollout, type WarnedUnkept } from './accept-rollout.ts';
import { answerInvocation, type OpenInvocations } from './answer-invocation.ts';
import { debugActionField, performDebugAction } from './debug-actions.ts';

/** The parts that serve `POST /invocations`. */
export interface DispatchTargets extends RunDependencies {
  ping: PingStatusDecision;
  tasks: AsyncTasks;
  rolloutHandler: PreparedHandler | undefined;
  invocationHandler: PreparedHandler | undefined;
  invocations: Invocations;
  wires: readonly RolloutWire[];
  wireRollouts: WireRollouts;
  open: OpenInvocations;
  warnedUnkept: WarnedUnkept;
  /** True if requests without an envelope also run in the background. */
  background: boolean;
  debug: boolean;
  closing: boolean;
}

type RipStart = Extract<RipRequest, { operation: 'start' }>;

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
  const rip = asRefusal(() => parseRipRequest(payload));
  // Also while the app is closing: anyone who asks is waiting for this very invocation.
  if (rip?.operation === 'get') {
    return sendJson(reply, await targets.invocations.get(invocationName(request, rip.invocationId)));
  }
  if (rip === undefined && targets.debug && isJsonObject(payload) && payload[debugActionField]) {
    const { statusCode, body } = await performDebugAction(payload[debugActionField], targets);
    return sendJson(reply.status(statusCode), JSON.stringify(body));
  }
  if (targets.closing)
    throw new RequestRefusal(503, 'ART_SESSION_TERMINATED', 'The agent process is being stopped');
  const wired = rip === undefined ? readWires(payload, targets) : undefined;
  const start = rip ?? (wired === undefined ? backgroundStart(payload, targets) : undefined);
  // When the app is closed it waits for the reply; the connection itself means nothing to the work.
  if ((wired ?? start)?.background === false) targets.open.begin(reply);
  if (wired !== undefined) {
    const run = { request, payload, handler: handlerFor(true, targets) };
    return sendJson(reply, await startWireRollout(wired, run, targets));
  }
  if (start !== undefined) {
    const isRollout = carries(payload, '_rollout') || carries(payload, '_config');
    const run = { request, payload, handler: handlerFor(isRollout, targets) };
    return sendJson(reply, await startInvocation(start, run, targets));
  }
  if (carries(payload, '_rollout') || targets.invocationHandler === undefined) {
    const run = { request, payload, handler: handlerFor(true, targets) };
    return sendJson(reply, JSON.stringify(await acceptRollout(run, targets)));
  }
  return answerInvocation(request, reply, targets.invocationHandler, targets.open);
}

/** The session that names an invocation: the header as it came. The one that handlers see is made up where there is none. */
function invocationName(request: FastifyRequest, invocationId: string): InvocationName {
  return { sessionId: namedSessionIdOf(request) ?? '', invocationId };
}

/**
 * Starts an invocation of RIP unless it is known. Its handler does not see the envelope.
 * @returns its state: at once, or for a foreground start when it has ended
 * @throws as `prepareRun`, then nothing was recorded; ArtError `ART_STATE_DIR`
 */
function startInvocation(
  { invocationId, background }: RipStart,
  run: HandlerRequest,
  targets: DispatchTargets,
): Promise<RipReply> {
  const sent = run.payload as Record<string, unknown>;
  const { [ripEnvelopeField]: _, ...payload } = sent;
  const invocation = { id: invocationId, background };
  return targets.invocations.start(
    invocationName(run.request, invocationId),
    () => prepareRun({ ...run, payload, sent, invocation }, targets),
    { wait: !background },
  );
}

function backgroundStart(payload: unknown, { background }: DispatchTargets): RipStart | undefined {
  if (!background || !isJsonObject(payload) || carries(payload, '_rollout')) return undefined;
  return { operation: 'start', invocationId: freshId(), background: true };
}

function readWires(payload: unknown, { wires }: DispatchTargets): WireRollout | undefined {
  if (!isJsonObject(payload) || carries(payload, '_rollout')) return undefined;
  for (const wire of wires) {
    const wired = asRefusal(() => wire.read(payload));
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
  const details = 'The request has no body.';
  throw new RequestRefusal(400, 'ART_JSON_PARSE', 'Invalid JSON', { details });
}

function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json').send(body);
}
