import {
  ArtError,
  checkBucketName,
  describeValue,
  httpUrlExpected,
  isHttpUrl,
  shownUrl,
  isJsonObject,
  stringifyJson,
} from '@art/ground';
import {
  assertSessionId,
  buildResultKey,
  formatRipRequest,
  isInvocationId,
  maxPayloadBytes,
  parseRolloutConfig,
  ripEnvelopeField,
  traceContextField,
} from '@art/protocol';

/** The payload for an agent without `_rollout`: a JSON object. */
export type Payload = object;

/**
 * Fields of `_rollout`, or of `_config`, for one rollout; they win over the client's. The named ones are mapped to their wire
 * names, every other field passes through as it is.
 */
export interface RolloutOverrides {
  expId?: string | undefined;
  bucket?: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  samplingParams?: Record<string, unknown> | undefined;
  [field: string]: unknown;
}

/** Ids and config of one rollout. */
export interface RolloutChoices {
  /** Dataset item. @default generated, sorting by time */
  inputId?: string | undefined;
  /** Names the machine; 33 to 256 characters. @default a random UUID */
  sessionId?: string | undefined;
  /** Fields of `_rollout` for this rollout; they win over the client's. */
  overrides?: RolloutOverrides | undefined;
}

/** The values that every rollout of a client shares. */
export interface RolloutDefaults {
  /** Where results appear, unless they come from the session. */
  target: { expId: string; bucket: string } | undefined;
  expId?: string | undefined;
  /** For the spans of its rollouts. */
  agentRuntimeArn?: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  samplingParams?: Record<string, unknown> | undefined;
  extraConfig?: Record<string, unknown> | undefined;
}

/** Which rollout it is, and where its result will be: under a key of a store, or in its session only. */
export interface RolloutAddress {
  inputId: string;
  sessionId: string;
  /** Also the id of the invocation, by which the session can be asked for it. */
  invocationId: string;
  bucket?: string | undefined;
  resultKey?: string | undefined;
}

/** The address of a rollout whose result appears in a store. */
export type StoredAddress = RolloutAddress & { bucket: string; resultKey: string };

/** A rollout ready to be sent: checked, addressed and serialised. */
export interface RolloutRequest extends RolloutAddress {
  /** Undefined where an earlier process has sent it. */
  text: RequestText | undefined;
}

/** A request as text, open where its config ends: some fields are known only after the rest was written. */
export interface RequestText {
  readonly head: string;
  readonly tail: string;
  /** Fields of its config that are written last, as far as they are known. */
  readonly late: LateFields;
}

/** The key that an agent has to send to the gateway, and the parent of the agent's spans. */
export interface LateFields {
  api_key?: unknown;
  [traceContextField]?: unknown;
}

/** Ids of one rollout, chosen by the caller or generated. */
export interface RolloutRequestIds {
  inputId: string;
  sessionId: string;
  invocationId: string;
}

const wireNames = {
  expId: 'exp_id',
  bucket: 's3_bucket',
  baseUrl: 'base_url',
  modelId: 'model_id',
  samplingParams: 'sampling_params',
} as const;

/**
 * Builds the request of one rollout: the payload, `_rollout` where its result goes to a store and `_config` where it stays in
 * the session, and the envelope that starts it once under its invocation id. Merge order as in the Python client: required
 * fields, the client's extra config, endpoint and model, then overrides.
 * @param background whether the agent is to answer before it is done. @default true
 * @param hasLateKey whether a gateway may give the agent another `api_key`. @default false
 * @throws ArtError `ART_INVALID_PAYLOAD`, `ART_INVALID_RESULT_KEY`, `ART_INVALID_SESSION_ID`,
 *   `ART_INVALID_BUCKET`, `ART_INVALID_ROLLOUT_CONFIG`, `ART_INVALID_OPTION`, `ART_JSON_WRITE`
 */
export function buildRolloutRequest(
  payload: unknown,
  ids: RolloutRequestIds,
  defaults: RolloutDefaults,
  overrides: RolloutOverrides = {},
  { background = true, hasLateKey = false } = {},
): RolloutRequest {
  const { target } = defaults;
  const field = target === undefined ? '_config' : '_rollout';
  checkPayload(payload, field);
  assertSessionId(ids.sessionId);
  const whole = withoutUndefined({
    ...(target === undefined
      ? { exp_id: defaults.expId }
      : { exp_id: target.expId, input_id: ids.inputId, s3_bucket: target.bucket }),
    ...defaults.extraConfig,
    sampling_params: defaults.samplingParams ?? defaults.extraConfig?.['sampling_params'],
    base_url: presentText(defaults.baseUrl) ?? defaults.extraConfig?.['base_url'],
    model_id: presentText(defaults.modelId) ?? defaults.extraConfig?.['model_id'],
    ...toWireNames(overrides),
  });
  checkBaseUrl(whole['base_url']);
  const { [traceContextField]: traceContext, ...traceless } = whole;
  const { api_key: apiKey, ...keyless } = traceless;
  const config = hasLateKey ? keyless : traceless;
  const envelope = formatRipRequest({
    operation: 'start',
    invocationId: checkedInvocationId(ids.invocationId),
    background,
  });
  const text = {
    // Both end with the braces of the config and of the whole.
    head: stringifyJson({ ...payload, [field]: config }).slice(0, -2),
    tail: `},${stringifyJson({ [ripEnvelopeField]: envelope }).slice(1)}`,
    late: { [traceContextField]: traceContext, api_key: hasLateKey ? apiKey : undefined },
  };
  const address = target === undefined ? ids : storedAddress(ids, whole, target.bucket);
  const bytes = Buffer.byteLength(text.head) + Buffer.byteLength(text.tail);
  if (bytes > maxPayloadBytes) {
    refusePayload(
      `Expected a payload of at most ${maxPayloadBytes} bytes, got ${bytes}. Send a reference to large data instead.`,
    );
  }
  return { ...address, text };
}

/** The body of a request. @param found what became known since it was written */
export function bodyOf({ head, tail, late }: RequestText, found: LateFields = {}): string {
  const fields = stringifyJson(withoutUndefined({ ...late, ...withoutUndefined(found) })).slice(1, -1);
  const isFirst = head.endsWith('{');
  return `${head}${fields === '' || isFirst ? '' : ','}${fields}${tail}`;
}

// The key follows what is really sent: overrides may have changed any of its parts.
function storedAddress(
  ids: RolloutRequestIds,
  config: Record<string, unknown>,
  clientsBucket: string,
): StoredAddress {
  const target = parseRolloutConfig({ _rollout: config })?.target;
  if (target === undefined) throw new Error('unreachable: the target fields are always set');
  // The client's own was checked with its store; that of an override, with nothing.
  if (target.s3Bucket !== clientsBucket) checkBucketName(target.s3Bucket);
  const { sessionId, invocationId } = ids;
  const resultKey = buildResultKey({ ...target, sessionId });
  return { inputId: target.inputId, sessionId, invocationId, bucket: target.s3Bucket, resultKey };
}

function checkPayload(
  payload: unknown,
  written: '_rollout' | '_config',
): asserts payload is Record<string, unknown> {
  if (!isJsonObject(payload))
    refusePayload(`Expected a payload to be an object, got ${describeValue(payload)}.`);
  for (const field of ['_rollout', ripEnvelopeField, written]) {
    if (field in payload) {
      refusePayload(
        `Expected a payload without "${field}"; the client writes it. Use overrides or extraConfig.`,
      );
    }
  }
}

function checkBaseUrl(baseUrl: unknown): void {
  if (typeof baseUrl !== 'string' || baseUrl === '' || isHttpUrl(baseUrl)) return;
  throw new ArtError({
    code: 'ART_INVALID_ROLLOUT_CONFIG',
    message: `Expected base_url to be ${httpUrlExpected}, got ${describeValue(shownUrl(baseUrl))}.`,
  });
}

function checkedInvocationId(invocationId: string): string {
  if (isInvocationId(invocationId)) return invocationId;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ids.invocationId to give 1 to 128 letters, digits, "_" and "-", starting with a letter or digit, got ${describeValue(invocationId)}.`,
  });
}

function toWireNames(overrides: RolloutOverrides): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(overrides)) {
    if (value !== undefined) wire[wireNames[name as keyof typeof wireNames] ?? name] = value;
  }
  return wire;
}

function withoutUndefined(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

function presentText(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function refusePayload(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_PAYLOAD', message });
}
