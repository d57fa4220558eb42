import { ArtError, describeValue, isJsonObject } from '@art/ground';
import { buildResultKey, parseRipConfig, parseRolloutConfig, type RolloutConfig } from '@art/protocol';
import { checkLocation, type ResultLocation, type ResultStore } from '@art/store';
import type { FastifyRequest } from 'fastify';
import { snapshotPayload } from '../document/snapshot-payload.ts';
import { payloadObject, type PreparedHandler } from '../handler/prepared-handler.ts';
import { createRequestContext, sessionIdOf } from '../request/create-request-context.ts';
import type { RequestContext } from '../request/request-context.ts';
import { asRefusal } from '../request/request-refusal.ts';
import type { Redaction } from '../logging/redaction.ts';
import type { ReachedPayload, ReachTunnels } from '../reach/reach-tunnels.ts';
import type { RolloutJob } from './rollout-run.ts';
import type { RolloutRuns } from './rollout-runs.ts';

/** The parts that every wire uses to prepare and run its rollouts. */
export interface RunDependencies {
  openStore: () => Promise<ResultStore>;
  runs: RolloutRuns;
  redaction: Redaction;
  reach: ReachTunnels;
}

/** A run for the background, and the request that asked for it. */
export interface HandlerRequest {
  request: FastifyRequest;
  handler: PreparedHandler;
  /** The payload for the handler. */
  payload: unknown;
  /** The payload for the document, where it has more members than the handler's. */
  sent?: Record<string, unknown>;
  invocation?: RequestContext['invocation'];
  /** The settings of a further wire, in place of `_rollout` and `_config`. */
  wire?: {
    rollout: RolloutConfig;
    /** Members of the payload that a schema need not know. */
    carried: readonly string[];
    maxRolloutMs: number | undefined;
  };
}

/**
 * Finds everything that can be wrong with work for the background, before anything is started.
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG` for an incomplete config, `ART_NO_RESULT_STORE`
 * @throws RequestRefusal 400 for a payload that is no object, does not fit the schema, or whose config cannot be used
 */
export async function prepareRun(
  run: HandlerRequest,
  { openStore, redaction, reach }: RunDependencies,
): Promise<RolloutJob> {
  const { request, handler, invocation, wire } = run;
  const given = payloadObject(run.payload);
  const sessionId = sessionIdOf(request);
  const redacted = redaction.redact(run.sent ?? given, { headers: request.headers, sessionId });
  const { secrets } = redacted;
  let reached: ReachedPayload | undefined;
  try {
    reached = await reach.open(given, sessionId);
    const { payload, tunnel } = reached;
    const rollout = wire?.rollout ?? configOf(payload, invocation);
    const at = asRefusal(() => locationOf(rollout, sessionId));
    const mapText = secrets.scrubber?.mapDocumentText;
    const kept = at && asRefusal(() => snapshotPayload(redacted.payload, mapText));
    const input = await handler.validate(payload, wire?.carried ?? (invocation && ['_rollout', '_config']));
    const destination = at &&
      kept && { store: await openStore(), at, inputId: rollout?.raw['input_id'], payload: kept, mapText };
    const controller = new AbortController();
    const { signal } = controller;
    const context = createRequestContext(request, {
      sessionId,
      signal,
      rollout,
      invocation,
      resultKey: at?.key,
    });
    return {
      name: handler.name,
      context,
      controller,
      process: () => handler.process(input, context),
      destination,
      secrets,
      tunnel,
      maxRolloutMs: wire?.maxRolloutMs,
    };
  } catch (error) {
    secrets.release();
    await reached?.tunnel?.close();
    throw error;
  }
}

function configOf(
  payload: Record<string, unknown>,
  invocation: RequestContext['invocation'],
): RolloutConfig | undefined {
  // An incomplete config alone is answered with 500, as by the Python app, whose tests and callers look for that.
  if (isIncomplete(payload['_rollout'])) return parseRolloutConfig(payload);
  return asRefusal(() => parseRolloutConfig(payload) ?? (invocation && parseRipConfig(payload)));
}

function isIncomplete(config: unknown): boolean {
  if (!isJsonObject(config)) return false;
  const given = ['exp_id', 'input_id', 's3_bucket'].filter((field) => field in config).length;
  return given > 0 && given < 3;
}

function locationOf(rollout: RolloutConfig | undefined, sessionId: string): ResultLocation | undefined {
  if (rollout?.target === undefined) return undefined;
  checkBucket(rollout.target.s3Bucket);
  const at = { bucket: rollout.target.s3Bucket, key: buildResultKey({ ...rollout.target, sessionId }) };
  checkLocation('put', at);
  return at;
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
