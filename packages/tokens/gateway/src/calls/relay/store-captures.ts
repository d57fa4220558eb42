import { ArtError, shownUrl } from '@art/ground';
import type { CapturedReply } from '../../capture/captured-reply.ts';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import { hasGivenUp } from '../../model-wires/chat/has-given-up.ts';
import { toCaptures } from '../../capture/to-captures.ts';
import type { Worker } from '../../routing/worker.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { NewCapture } from '../../store/capture-store.ts';
import type { RelayServices, StageServices } from '../call/gateway-services.ts';
import type { WeightMark } from '../../sessions/weight-version.ts';
import type { OpenedCall } from '../prepare/open-call.ts';
import type { ReadyCall } from '../prepare/ready-call.ts';
import type { KeptPlace } from '../call/kept-place.ts';
import type { StreamReply, WholeReply } from '../send/send-call.ts';
import type { WorkerAnswer } from '../send/try-workers.ts';

/** The request to one worker, and its answer. */
export type AnsweredCall = WorkerAnswer<{
  ready: ReadyCall;
  reply: WholeReply | StreamReply;
  /** Which weights were announced when it was asked. */
  weightMark: WeightMark;
  /** Undefined where no answers are kept. */
  place: KeptPlace | undefined;
}>;

/**
 * Stores the captures of a call, before the agent has the end of its reply: none without a session.
 * @throws ArtError what the store throws: a reply whose capture is lost must not pass for a good one
 */
export async function storeCaptures(
  services: RelayServices,
  { session, charge, wire, label, meter, arrivedAtMs }: OpenedCall,
  { ready: { prepared }, worker, flavour, reply, weightMark, place }: AnsweredCall,
  captured: CapturedReply,
): Promise<void> {
  charge?.answered(captured);
  if (session === undefined || prepared === undefined) return;
  const { options, store, sessions, metrics, weights, log } = services;
  const { sessionId } = session;
  const captures = toCaptures(prepared, captured, {
    sessionId,
    worker: shownUrl(worker.url),
    engine: flavour,
    wire,
    timestampMs: arrivedAtMs,
    latencyMs: meter.elapsedMs,
    label,
    announcedVersions: weights.since(weightMark),
    illFormedChoices: reply.notes?.illFormedChoices,
    rawRequest: options.keepRawBodies ? prepared.body : undefined,
    rawResponse: options.keepRawBodies && reply.kind === 'whole' ? reply.body : undefined,
  });
  if (captures.length === 0) return;
  meter.span?.captured(captures);
  try {
    await store.append(captures);
  } catch (error) {
    // What the store has forgotten is not to be known here, or the next call would fail in the same way.
    if (ArtError.isInstance(error) && error.code === 'ART_GATEWAY_SESSION_GONE') sessions.forget(session);
    throw error;
  }
  if (place?.reply !== undefined) session.keptAnswers += 1;
  else if (isGood(captured)) await keepAnswer(services, place);
  checkContinuation(services, worker, prepared, captures);
  warnOnce(services, session, prepared);
  for (const { status, promptTokenIds, completionTokenIds, captureId, problems } of captures) {
    const [promptTokens, completionTokens] = [promptTokenIds.length, completionTokenIds.length];
    metrics.captureStored({ status, promptTokens, completionTokens });
    const isKnown = prepared.media.length > 0 && problems.every((problem) => problem.startsWith('media:'));
    if (status !== 'incomplete' || isKnown) continue;
    log.warn({ sessionId, captureId, problems, worker: worker.url, engine: flavour }, 'incomplete capture');
  }
}

/** True for an answer that may stand for one that is asked for again. */
function isGood({ ended, error, choices }: CapturedReply): boolean {
  return ended && error === undefined && choices.every(({ finishReason }) => !hasGivenUp(finishReason));
}

async function keepAnswer({ log }: StageServices, place: KeptPlace | undefined): Promise<void> {
  try {
    await place?.keep();
  } catch (error) {
    log.warn({ err: error }, 'an answer could not be kept, and will be asked for again');
  }
}

/** Warns once a session of calls that do not train because of how the agent calls. */
function warnOnce({ log }: StageServices, session: LiveSession, { constraints, media }: PreparedCall): void {
  const { sessionId, init, warned } = session;
  if (constraints.length > 0 && !init.trainConstrained && !warned.has('constrained')) {
    warned.add('constrained');
    log.warn(
      { sessionId, constraints },
      'calls under a grammar do not train, unless `train_constrained` is set',
    );
  }
  if (media.length > 0 && !warned.has('media')) {
    warned.add('media');
    log.warn(
      { sessionId, media },
      'calls with images, audio or files do not train: token ids do not hold them',
    );
  }
}

const ignoring = new WeakSet<Worker>();

/** Checks that the engine has sampled from the given tokens. If not, the turn is another row, not a wrong one. */
function checkContinuation(
  { metrics, log }: StageServices,
  worker: Worker,
  { continuation }: PreparedCall,
  captures: readonly NewCapture[],
): void {
  const given = continuation?.promptIds;
  const sampledFrom = captures.map((capture) => capture.promptTokenIds).find((ids) => ids.length > 0);
  if (given === undefined || sampledFrom === undefined) return;
  const isTaken = sampledFrom.length === given.length && sampledFrom.every((id, at) => id === given[at]);
  metrics.turnContinued(isTaken ? 'continued' : 'ignored');
  if (isTaken || ignoring.has(worker)) return;
  ignoring.add(worker);
  log.warn(
    { worker: worker.url },
    'the engine renders prompts although it is given their token ids: turns do not continue. It takes vLLM 0.32 or SGLang 0.5.13',
  );
}
