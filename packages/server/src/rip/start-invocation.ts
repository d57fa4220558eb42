import { type RipRequest, ripEnvelopeField } from '@art/protocol';
import type { FastifyRequest } from 'fastify';
import { namedSessionIdOf } from '../request/create-request-context.ts';
import type { PreparedHandler } from '../handler/prepared-handler.ts';
import { prepareRun, type RunDependencies } from '../rollout/prepare-run.ts';
import { invocationEnd, type InvocationEndForm } from './invocation-end.ts';
import type { InvocationName } from './invocation-records.ts';
import { type InvocationReply, type Invocations, type ReadyInvocation, stateText } from './invocations.ts';

/** The session that names an invocation: the header as it came. The one that handlers see is made up where there is none. */
export function invocationName(request: FastifyRequest, invocationId: string): InvocationName {
  return { sessionId: namedSessionIdOf(request) ?? '', invocationId };
}

export interface StartDependencies extends RunDependencies {
  invocations: Invocations;
  handler: PreparedHandler;
}

/**
 * Starts an invocation unless it is known, and gives the reply: at once, or for a foreground start when it has ended.
 * @throws as `prepareRun`, then nothing was recorded; ArtError `ART_STATE_DIR`
 */
export function startInvocation(
  request: FastifyRequest,
  { invocationId, background }: Extract<RipRequest, { operation: 'start' }>,
  sent: Record<string, unknown>,
  { invocations, handler, ...dependencies }: StartDependencies,
): Promise<InvocationReply> {
  const name = invocationName(request, invocationId);
  const prepare = async (): Promise<ReadyInvocation> => {
    const { [ripEnvelopeField]: _, ...payload } = sent;
    const invocation = { id: invocationId, background };
    const run = await prepareRun({ request, handler, payload, sent, invocation }, dependencies);
    const members = run.at && { s3_bucket: run.at.bucket, result_key: run.at.key };
    const form: InvocationEndForm = {
      isRollout: run.context.rollout !== undefined,
      hasDocument: run.at !== undefined,
      scrubText: run.scrubText,
      stateText: (state, mapText) => stateText(name, { status: 'completed', ...state }, { members, mapText }),
    };
    return {
      members: members ?? {},
      discard: run.discard,
      begin: (conclude) =>
        run.start((ending) => {
          const end = invocationEnd(ending, form);
          // Everything else that can go wrong with a run is in the log already.
          if (end?.error !== undefined && ending.kind === 'returned' && run.at === undefined)
            run.context.log.error(
              { err: end.error },
              'The handler returned something that cannot be recorded',
            );
          return conclude(end?.record);
        }),
    };
  };
  return invocations.start(name, prepare, { wait: !background });
}
