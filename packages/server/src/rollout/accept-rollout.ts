import {
  ArtError,
  buildResultKey,
  describeValue,
  isJsonObject,
  parseRolloutConfig,
  type RolloutConfig,
} from '@art/protocol';
import { checkLocation } from '@art/store';
import type { FastifyRequest } from 'fastify';
import { createRequestContext, sessionIdOf } from '../context/create-request-context.ts';
import { RequestRefusal } from '../http/request-refusal.ts';
import type { PreparedHandler } from '../invocation/prepared-handler.ts';
import type { AttemptLedger } from './attempt-ledger.ts';
import type { ResultStoreSource } from './result-store-source.ts';
import type { RolloutRuns } from './rollout-runs.ts';
import { snapshotPayload } from './snapshot-payload.ts';
import type { ResultDestination } from './store-result.ts';

/** What an accepted rollout is answered with, as it goes over the wire. */
export type RolloutReply =
  | { status: 'processing' }
  | { status: 'processing'; s3_bucket: string; result_key: string };

export interface RolloutDependencies {
  handler: PreparedHandler;
  stores: ResultStoreSource;
  runs: RolloutRuns;
  attempts: AttemptLedger;
}

/**
 * Takes a rollout on: everything that can be wrong with the request is found here, before anything is started. The
 * returned reply says where the result will be; the handler runs after it has been sent.
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG`, `ART_INVALID_RESULT_KEY`, `ART_NO_RESULT_STORE`
 * @throws RequestRefusal 400 for a payload that is no object or does not fit the schema
 */
export async function acceptRollout(
  request: FastifyRequest,
  payload: unknown,
  { handler, stores, runs, attempts }: RolloutDependencies,
): Promise<RolloutReply> {
  const record = payloadObject(payload);
  const rollout = parseRolloutConfig(record);
  const sessionId = sessionIdOf(request);
  const resultKey = rollout?.target && buildResultKey({ ...rollout.target, sessionId });
  // Taken before a schema of the user's sees the payload, which it might change.
  const original = snapshot(record);
  const input = await handler.validate(payload);
  const destination =
    rollout?.target && resultKey !== undefined
      ? await destinationOf(rollout, resultKey, original, stores)
      : undefined;

  // From here to the start nothing waits, so that of two equal attempts only one gets through.
  const isNew =
    destination === undefined ||
    attempts.claim(destination.at.bucket, destination.at.key, rollout?.raw['attempt_id']);
  if (isNew) {
    const controller = new AbortController();
    const { signal } = controller;
    const context = createRequestContext(request, { sessionId, signal, rollout, resultKey });
    runs.start(
      { name: handler.name, context, destination, process: () => handler.process(input, context) },
      controller,
    );
  } else {
    request.log.info({ resultKey }, 'This attempt is known; nothing was started');
  }
  return destination === undefined
    ? { status: 'processing' }
    : { status: 'processing', s3_bucket: destination.at.bucket, result_key: destination.at.key };
}

async function destinationOf(
  rollout: RolloutConfig,
  resultKey: string,
  payload: Record<string, unknown>,
  stores: ResultStoreSource,
): Promise<ResultDestination | undefined> {
  if (rollout.target === undefined) return undefined;
  const { s3Bucket } = rollout.target;
  const at = { bucket: s3Bucket, key: resultKey };
  checkLocation('put', at);
  return {
    store: await stores.open(),
    at,
    documentContext: { inputId: rollout.raw['input_id'], s3Bucket, resultKey, payload },
  };
}

function payloadObject(payload: unknown): Record<string, unknown> {
  if (isJsonObject(payload)) return payload;
  throw new RequestRefusal({
    code: 'ART_INVALID_PAYLOAD',
    statusCode: 400,
    error: `Expected the payload to be a JSON object, got ${describeValue(payload)}.`,
  });
}

function snapshot(payload: Record<string, unknown>): Record<string, unknown> {
  try {
    return snapshotPayload(payload);
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    throw new RequestRefusal({ code: error.code, statusCode: 400, error: error.message, cause: error });
  }
}
