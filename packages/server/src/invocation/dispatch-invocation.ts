import { ArtError, isJsonObject } from '@art/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestRefusal } from '../http/request-refusal.ts';
import { acceptRollout, type RolloutDependencies } from '../rollout/accept-rollout.ts';
import { answerSessionState } from '../rollout/answer-session-state.ts';
import { debugActionField, type DebugTargets, performDebugAction } from '../tasks/debug-actions.ts';
import { answerInvocation } from './answer-invocation.ts';
import type { OpenInvocations } from './open-invocations.ts';
import type { PreparedHandler } from './prepared-handler.ts';

/** What `POST /invocations` can lead to. */
export interface DispatchTargets extends Omit<RolloutDependencies, 'handler'>, DebugTargets {
  rolloutHandler: PreparedHandler | undefined;
  invocationHandler: PreparedHandler | undefined;
  open: OpenInvocations;
  debug: boolean;
  closing: boolean;
}

/**
 * Decides what a request is: a question about an attempt, a debug action, a rollout (its payload has `_rollout`, or there is no other handler) or
 * production traffic.
 */
export async function dispatchInvocation(
  request: FastifyRequest,
  reply: FastifyReply,
  targets: DispatchTargets,
): Promise<FastifyReply> {
  const payload = requireBody(request.body);
  // Before anything else, so that no handler takes the question for a job, and also while the app is closing.
  const state = answerSessionState(payload, targets.attempts);
  if (state !== undefined) return sendJsonText(reply, state);
  if (targets.debug && isJsonObject(payload) && payload[debugActionField]) {
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
  const { rolloutHandler, invocationHandler } = targets;
  if (isRollout(payload) || invocationHandler === undefined) {
    if (rolloutHandler === undefined) throw noHandler(invocationHandler !== undefined);
    return sendJson(reply, await acceptRollout(request, payload, { ...targets, handler: rolloutHandler }));
  }
  return answerInvocation(request, reply, { payload, handler: invocationHandler, open: targets.open });
}

function isRollout(payload: unknown): boolean {
  return isJsonObject(payload) && payload['_rollout'] !== undefined && payload['_rollout'] !== null;
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

function noHandler(hasInvocationHandler: boolean): ArtError {
  return new ArtError({
    code: 'ART_NO_HANDLER',
    message: hasInvocationHandler
      ? 'No rollout handler defined: the payload has `_rollout`, and this agent answers production traffic only. Pass rolloutHandler to AgentCoreRLApp, or call app.rolloutEntrypoint(handler).'
      : 'No entrypoint defined',
  });
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return sendJsonText(reply, JSON.stringify(body));
}

function sendJsonText(reply: FastifyReply, body: string): FastifyReply {
  return reply.header('content-type', 'application/json').send(body);
}
