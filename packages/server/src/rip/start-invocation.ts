import { type RipRequest, ripEnvelopeField } from '@art/protocol';
import type { FastifyRequest } from 'fastify';
import { namedSessionIdOf } from '../request/create-request-context.ts';
import { prepareRun, type RunDependencies, type RunRequest } from '../rollout/prepare-run.ts';
import type { InvocationName } from './invocation-records.ts';
import type { InvocationReply, Invocations } from './invocations.ts';

export type RipStart = Extract<RipRequest, { operation: 'start' }>;

/** The session that names an invocation: the header as it came. The one that handlers see is made up where there is none. */
export function invocationName(request: FastifyRequest, invocationId: string): InvocationName {
  return { sessionId: namedSessionIdOf(request) ?? '', invocationId };
}

/**
 * Starts an invocation of RIP unless it is known. Its handler does not see the envelope.
 * @returns its state: at once, or for a foreground start when it has ended
 * @throws as `prepareRun`, then nothing was recorded; ArtError `ART_STATE_DIR`
 */
export function startInvocation(
  { invocationId, background }: RipStart,
  run: RunRequest,
  dependencies: RunDependencies & { invocations: Invocations },
): Promise<InvocationReply> {
  const sent = run.payload as Record<string, unknown>;
  const { [ripEnvelopeField]: _, ...payload } = sent;
  const invocation = { id: invocationId, background };
  return dependencies.invocations.start(
    invocationName(run.request, invocationId),
    () => prepareRun({ ...run, payload, sent, invocation }, dependencies),
    { wait: !background },
  );
}
