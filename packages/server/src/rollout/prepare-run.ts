import {
  ArtError,
  buildResultKey,
  describeValue,
  isJsonObject,
  parseRipConfig,
  parseRolloutConfig,
  type RolloutConfig,
} from '@art/protocol';
import { checkLocation, type ResultLocation } from '@art/store';
import type { FastifyRequest } from 'fastify';
import type { RolloutEnding } from '../document/rollout-ending.ts';
import { snapshotPayload } from '../document/snapshot-payload.ts';
import type { PreparedHandler } from '../handler/prepared-handler.ts';
import { createRequestContext, sessionIdOf } from '../request/create-request-context.ts';
import type { RequestContext } from '../request/request-context.ts';
import { asRefusal, RequestRefusal } from '../request/request-refusal.ts';
import type { RolloutRedaction } from './rollout-redaction.ts';
import type { RolloutRuns } from './rollout-runs.ts';
import type { ResultStoreSource } from '../saving/result-store-source.ts';

export interface RunDependencies {
  stores: ResultStoreSource;
  runs: RolloutRuns;
  redaction: RolloutRedaction;
}

/** What is to be run, and how it came. */
export interface RunRequest {
  request: FastifyRequest;
  handler: PreparedHandler;
  /** What the handler is to see. */
  payload: unknown;
  /** What the document says that was sent, where that is more. */
  sent?: Record<string, unknown>;
  invocation?: RequestContext['invocation'];
  /** What a further wire says in place of `_rollout` and `_config`. */
  wire?: {
    rollout: RolloutConfig;
    /** Members of the payload that a schema need not know. */
    carried: readonly string[];
    maxRolloutMs: number | undefined;
  };
}

/** Work for the background that nothing can be said against. Either start it or discard it. */
export interface PreparedRun {
  /** Where its document will be; undefined when none is asked for. */
  at: ResultLocation | undefined;
  context: RequestContext;
  /** Takes the secrets of the request out of a text; undefined where it has none. */
  scrubText: ((text: string) => string) | undefined;
  /**
   * @param conclude called when the document is stored, with what the handler came to and a signal that aborts when the
   *   process ends; the session stays busy until it has settled
   */
  start: (conclude?: (ending: RolloutEnding, signal: AbortSignal) => Promise<void>) => void;
  discard: () => void;
}

/**
 * Finds everything that can be wrong with work for the background, before anything is started.
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG` for an incomplete config, `ART_NO_RESULT_STORE`
 * @throws RequestRefusal 400 for a payload that is no object, does not fit the schema, or whose config cannot be used
 */
export async function prepareRun(
  run: RunRequest,
  { stores, runs, redaction }: RunDependencies,
): Promise<PreparedRun> {
  const { request, handler, invocation, wire } = run;
  const payload = payloadObject(run.payload);
  const sessionId = sessionIdOf(request);
  const redacted = redaction.redact(run.sent ?? payload, { headers: request.headers, sessionId });
  try {
    const rollout = wire?.rollout ?? asRefusal(() => configOf(payload, invocation), payload);
    const at = asRefusal(() => locationOf(rollout, sessionId), payload);
    const kept = at && asRefusal(() => snapshotPayload(redacted.payload, redacted.secrets.mapText), payload);
    const input = await handler.validate(payload, wire?.carried ?? (invocation && ['_rollout', '_config']));
    const store = at && (await stores.open());
    const controller = new AbortController();
    const { signal } = controller;
    const context = createRequestContext(request, {
      sessionId,
      signal,
      rollout,
      invocation,
      resultKey: at?.key,
    });
    const form = at &&
      kept && {
        context: {
          inputId: rollout?.raw['input_id'],
          s3Bucket: at.bucket,
          resultKey: at.key,
          payload: kept,
        },
        mapText: redacted.secrets.mapText,
      };
    return {
      at,
      context,
      scrubText: redacted.secrets.scrubText,
      start: (conclude) => {
        runs.start(
          {
            name: handler.name,
            context,
            destination: at && store && form && { store, at, form },
            process: () => handler.process(input, context),
            conclude,
            maxRolloutMs: wire?.maxRolloutMs,
            onState: (state) => {
              if (state.kind === 'settled') redacted.secrets.release();
            },
          },
          controller,
        );
      },
      discard: () => redacted.secrets.release(),
    };
  } catch (error) {
    redacted.secrets.release();
    throw error;
  }
}

function configOf(
  payload: Record<string, unknown>,
  invocation: RequestContext['invocation'],
): RolloutConfig | undefined {
  return parseRolloutConfig(payload) ?? (invocation && parseRipConfig(payload));
}

function locationOf(rollout: RolloutConfig | undefined, sessionId: string): ResultLocation | undefined {
  if (rollout?.target === undefined) return undefined;
  checkBucket(rollout.target.s3Bucket);
  const at = { bucket: rollout.target.s3Bucket, key: buildResultKey({ ...rollout.target, sessionId }) };
  checkLocation('put', at);
  return at;
}

function payloadObject(payload: unknown): Record<string, unknown> {
  if (isJsonObject(payload)) return payload;
  throw new RequestRefusal({
    code: 'ART_INVALID_PAYLOAD',
    statusCode: 400,
    error: `Expected the payload to be a JSON object, got ${describeValue(payload)}.`,
  });
}

/**
 * Refuses a bucket that no store should ever see: a store that makes a path of it would be led elsewhere, and one that makes
 * a header of it could be made to send another one. Names with slashes and colons are those of S3 access points.
 * @throws ArtError `ART_INVALID_BUCKET`
 */
function checkBucket(bucket: string): void {
  const isEvasive = bucket.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (
    !isEvasive &&
    bucket.length <= 2_048 &&
    bucket.isWellFormed() &&
    !/[\u0000-\u001f\u007f\\]/.test(bucket)
  )
    return;
  throw new ArtError({
    code: 'ART_INVALID_BUCKET',
    message: `Expected s3_bucket to be a bucket name without ".", ".." or nothing between slashes, backslashes and control characters, got ${describeValue(bucket)}.`,
  });
}
