import { stringifyJson, type JsonObject } from '@art/ground';
import type { CaptureRecord } from './capture-record.ts';
import type { CaptureStatus, RoutedExperts, Capture } from './capture.ts';

/**
 * A capture of its record, as `buildTrajectory` takes it: what a client got from a gateway becomes rows anywhere. Records of
 * rllm-model-gateway, which do not say how true a capture is, count as complete where there is a logprob for each token.
 * @throws ArtError `ART_JSON_WRITE` where a message is not JSON
 */
export function fromCaptureRecord(record: CaptureRecord): Capture {
  return {
    captureId: record.trace_id,
    sessionId: record.session_id,
    choiceIndex: record.choice_index ?? 0,
    choiceCount: record.choice_count ?? 1,
    wire: record.wire ?? 'chat',
    engine: record.engine ?? '',
    worker: record.worker ?? '',
    model: record.model,
    timestampMs: record.timestamp * 1_000,
    latencyMs: record.latency_ms,
    messages: record.messages.map((message) => stringifyJson(message)),
    tools: record.tools === undefined ? undefined : stringifyJson(record.tools),
    responseMessage: stringifyJson(record.response_message),
    promptTokenIds: Int32Array.from(record.prompt_token_ids),
    completionTokenIds: Int32Array.from(record.completion_token_ids),
    logprobs: record.logprobs === null ? undefined : Float64Array.from(record.logprobs),
    finishReason: record.finish_reason ?? undefined,
    weightVersion: record.weight_version ?? undefined,
    weightVersions: record.weight_versions ?? [],
    ...(record.weight_version_range && { weightVersionRange: record.weight_version_range }),
    routedExperts: expertsOf(record),
    routingMatrices: record.routing_matrices ?? undefined,
    usage: { prompt: record.token_counts['prompt'], completion: record.token_counts['completion'] },
    temperature: record.temperature ?? undefined,
    topP: record.top_p ?? undefined,
    samplingParams: textOf(record.sampling_params),
    overriddenParams: textOf(record.overridden_params),
    ...(record.constraints === undefined ? {} : { constraints: record.constraints }),
    status: record.capture ?? assumedCapture(record),
    problems: record.capture_problems ?? [],
    metadata: record.metadata,
    rawRequest: textOf(record.raw_request),
    rawResponse: textOf(record.raw_response),
  };
}

function assumedCapture({ completion_token_ids: ids, logprobs }: CaptureRecord): CaptureStatus {
  if (ids.length === 0) return 'text_only';
  return logprobs?.length === ids.length ? 'complete' : 'incomplete';
}

function expertsOf({ routed_experts: experts }: CaptureRecord): RoutedExperts | undefined {
  if (experts === undefined) return undefined;
  const { data, encoding, shape } = experts;
  const known = encoding === 'npy_base64' || encoding === 'int32_base64' ? encoding : 'unknown';
  return { data, encoding: known, ...(shape === undefined ? {} : { shape }) };
}

function textOf(body: JsonObject | null | undefined): string | undefined {
  return body === null || body === undefined ? undefined : stringifyJson(body);
}
