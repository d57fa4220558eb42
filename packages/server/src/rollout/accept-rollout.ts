import {
  buildResultKey,
  describeValue,
  isJsonObject,
  parseRolloutConfig,
  type RolloutConfig,
  sessionStateAdvertisement,
  type SessionStateQuestion,
} from '@art/protocol';
import { checkLocation, type ResultLocation } from '@art/store';
import type { FastifyRequest } from 'fastify';
import { createRequestContext, sessionIdOf } from '../context/create-request-context.ts';
import { RequestRefusal } from '../http/request-refusal.ts';
import type { PreparedHandler } from '../invocation/prepared-handler.ts';
import { attemptIdOf, type AttemptLedger } from './attempt-ledger.ts';
import { checkBucket } from './check-bucket.ts';
import type { ResultStoreSource } from './result-store-source.ts';
import { relabelRepeat } from './relabel-repeat.ts';
import { asRefusal } from './rollout-refusal.ts';
import type { RolloutRedaction, RolloutSecrets } from './rollout-redaction.ts';
import type { RolloutRuns } from './rollout-runs.ts';
import { snapshotPayload } from './snapshot-payload.ts';

/** What an accepted rollout is answered with, as it goes over the wire. */
export type RolloutReply =
  | { status: 'processing' }
  | { status: 'processing'; s3_bucket: string; result_key: string; state_query?: string };

export interface RolloutDependencies {
  handler: PreparedHandler;
  stores: ResultStoreSource;
  runs: RolloutRuns;
  attempts: AttemptLedger;
  redaction: RolloutRedaction;
}

/**
 * Takes a rollout on: everything that can be wrong with the request is found here, before anything is started. The
 * returned reply says where the result will be; the handler runs after it has been sent.
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG` for an incomplete config, `ART_NO_RESULT_STORE`
 * @throws RequestRefusal 400 for a payload that is no object, does not fit the schema, or whose config cannot be used
 */
export async function acceptRollout(
  request: FastifyRequest,
  payload: unknown,
  dependencies: RolloutDependencies,
): Promise<RolloutReply> {
  const record = payloadObject(payload);
  // Taken before a schema of the user's sees the payload, which it might change.
  const original = asRefusal(() => snapshotPayload(record), record);
  const redacted = dependencies.redaction.redact(original, request.headers);
  try {
    return await accept({ request, payload: record, redacted }, dependencies);
  } catch (error) {
    redacted.secrets.release();
    throw error;
  }
}

interface RolloutRequest {
  request: FastifyRequest;
  payload: Record<string, unknown>;
  /** What may be stored of the payload. */
  redacted: { payload: Record<string, unknown>; secrets: RolloutSecrets };
}

async function accept(
  { request, payload, redacted }: RolloutRequest,
  { handler, stores, runs, attempts }: RolloutDependencies,
): Promise<RolloutReply> {
  const sessionId = sessionIdOf(request);
  const sent = asRefusal(() => parseRolloutConfig(payload), payload);
  const at = asRefusal(() => locationOf(sent, sessionId), payload);
  const attempt = at && sent && attemptOf(at, sent);
  const relabel = attempt && sent && relabelRepeat(sent, attempts.stateOf(attempt));
  const own = relabel === undefined ? payload : relabel(payload);
  const rollout = relabel === undefined ? sent : parseRolloutConfig(own);
  const input = await handler.validate(own);
  const store = at && (await stores.open());

  // From here to the start nothing waits, so that of two equal attempts only one gets through.
  const reply = replyOf(at, attempt);
  if (attempt !== undefined && !attempts.claim(attempt)) {
    request.log.info({ resultKey: attempt.resultKey }, 'This attempt is known; nothing was started');
    redacted.secrets.release();
    return reply;
  }
  const controller = new AbortController();
  const { signal } = controller;
  const context = createRequestContext(request, { sessionId, signal, rollout, resultKey: at?.key });
  const form = at && {
    context: {
      inputId: rollout?.raw['input_id'],
      s3Bucket: at.bucket,
      resultKey: at.key,
      payload: relabel === undefined ? redacted.payload : relabel(redacted.payload),
    },
    mapText: redacted.secrets.mapText,
  };
  runs.start(
    {
      name: handler.name,
      context,
      destination: at && store && form && { store, at, form },
      process: () => handler.process(input, context),
      onState: (state) => {
        if (attempt !== undefined) attempts.note(attempt, state);
        if (state.kind === 'settled') redacted.secrets.release();
      },
    },
    controller,
  );
  return reply;
}

function locationOf(rollout: RolloutConfig | undefined, sessionId: string): ResultLocation | undefined {
  if (rollout?.target === undefined) return undefined;
  checkBucket(rollout.target.s3Bucket);
  const at = { bucket: rollout.target.s3Bucket, key: buildResultKey({ ...rollout.target, sessionId }) };
  checkLocation('put', at);
  return at;
}

function attemptOf(at: ResultLocation, { raw }: RolloutConfig): SessionStateQuestion | undefined {
  const attemptId = attemptIdOf(raw);
  return attemptId === undefined ? undefined : { bucket: at.bucket, resultKey: at.key, attemptId };
}

function replyOf(at: ResultLocation | undefined, attempt: SessionStateQuestion | undefined): RolloutReply {
  if (at === undefined) return { status: 'processing' };
  const reply = { status: 'processing', s3_bucket: at.bucket, result_key: at.key } as const;
  // Clients that send no attempt id know nothing of the question; their answer is that of the Python app, byte for byte.
  return attempt === undefined ? reply : { ...reply, ...sessionStateAdvertisement };
}

function payloadObject(payload: unknown): Record<string, unknown> {
  if (isJsonObject(payload)) return payload;
  throw new RequestRefusal({
    code: 'ART_INVALID_PAYLOAD',
    statusCode: 400,
    error: `Expected the payload to be a JSON object, got ${describeValue(payload)}.`,
  });
}
