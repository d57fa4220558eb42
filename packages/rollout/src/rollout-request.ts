import {
  ArtError,
  assertSessionId,
  buildResultKey,
  describeValue,
  isJsonObject,
  maxPayloadBytes,
  parseRolloutConfig,
  stringifyJson,
} from '@art/protocol';

/**
 * Fields of `_rollout` for one rollout; they win over the client's. The named ones are mapped to their wire names,
 * every other field passes through as it is.
 */
export interface RolloutOverrides {
  expId?: string | undefined;
  bucket?: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  samplingParams?: Record<string, unknown> | undefined;
  [field: string]: unknown;
}

/** What every rollout of a client shares. */
export interface RolloutDefaults {
  expId: string;
  bucket: string;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  samplingParams?: Record<string, unknown> | undefined;
  extraConfig?: Record<string, unknown> | undefined;
}

/** Which rollout it is, and where its result will be. */
export interface RolloutAddress {
  inputId: string;
  sessionId: string;
  attemptId: string;
  bucket: string;
  resultKey: string;
}

/** A rollout ready to be sent: checked, addressed and serialised. */
export interface RolloutRequest extends RolloutAddress {
  body: string;
}

/** Ids of one rollout, chosen by the caller or generated. */
export interface RolloutRequestIds {
  inputId: string;
  sessionId: string;
  attemptId: string;
}

const wireNames = {
  expId: 'exp_id',
  bucket: 's3_bucket',
  baseUrl: 'base_url',
  modelId: 'model_id',
  samplingParams: 'sampling_params',
} as const;

/**
 * Builds the request of one rollout: the payload plus `_rollout`. Merge order as in the Python client: required fields,
 * the client's extra config, endpoint and model, then overrides.
 * @throws ArtError `ART_INVALID_PAYLOAD`, `ART_INVALID_RESULT_KEY`, `ART_INVALID_SESSION_ID`,
 *   `ART_INVALID_ROLLOUT_CONFIG`, `ART_JSON_WRITE`
 */
export function buildRolloutRequest(
  payload: unknown,
  ids: RolloutRequestIds,
  defaults: RolloutDefaults,
  overrides: RolloutOverrides = {},
): RolloutRequest {
  if (!isJsonObject(payload))
    refusePayload(`Expected a payload to be an object, got ${describeValue(payload)}.`);
  if ('_rollout' in payload) {
    refusePayload(
      'Expected a payload without "_rollout"; the client writes it. Use overrides or extraConfig.',
    );
  }
  assertSessionId(ids.sessionId);
  const config = withoutUndefined({
    exp_id: defaults.expId,
    input_id: ids.inputId,
    s3_bucket: defaults.bucket,
    attempt_id: ids.attemptId,
    ...defaults.extraConfig,
    sampling_params: defaults.samplingParams ?? defaults.extraConfig?.['sampling_params'],
    base_url: presentText(defaults.baseUrl) ?? defaults.extraConfig?.['base_url'],
    model_id: presentText(defaults.modelId) ?? defaults.extraConfig?.['model_id'],
    ...toWireNames(overrides),
  });
  const body = stringifyJson({ ...payload, _rollout: config });
  // The key follows what is really sent: overrides may have changed any of its parts.
  const target = parseRolloutConfig({ _rollout: config })?.target;
  if (target === undefined) throw new Error('unreachable: the target fields are always set');
  const resultKey = buildResultKey({ ...target, sessionId: ids.sessionId });
  const bytes = Buffer.byteLength(body);
  if (bytes > maxPayloadBytes) {
    refusePayload(
      `Expected a payload of at most ${maxPayloadBytes} bytes, got ${bytes}. Send a reference to large data instead.`,
    );
  }
  return {
    inputId: target.inputId,
    sessionId: ids.sessionId,
    attemptId: ids.attemptId,
    bucket: target.s3Bucket,
    resultKey,
    body,
  };
}

/**
 * The same request, marked as one that may have been delivered before. A server that knows the attempt starts nothing; one
 * that has never heard of it, because the machine before it died, runs it under an attempt id of its own.
 */
export function markRepeat(body: string): string {
  // `_rollout` is the last member and never empty; a body may have 100 MB, too much to be parsed for this.
  return `${body.slice(0, -2)},"attempt_repeat":true}}`;
}

function toWireNames(overrides: RolloutOverrides): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(overrides)) {
    if (value !== undefined) wire[wireNames[name as keyof typeof wireNames] ?? name] = value;
  }
  return wire;
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

function presentText(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function refusePayload(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_PAYLOAD', message });
}
