import { stringifyJson } from '@art/ground';
import type { Capture } from './capture.ts';

/**
 * A capture as JSON text in the shape of rllm-model-gateway's CaptureRecord, and with fields of our own behind its, which its
 * readers pass over. Messages, tools and the response are spliced in as they came. `weight_version` is an integer or null
 * and the lists of ids are always lists, as its Python models demand. `timestamp` is in seconds.
 */
export function toCaptureRecord(capture: Capture): string {
  return `{${[
    `"trace_id":${JSON.stringify(capture.captureId)}`,
    `"messages":[${capture.messages.join(',')}]`,
    `"prompt_token_ids":[${capture.promptTokenIds.join(',')}]`,
    ...recordMembers(capture),
  ].join(',')}}`;
}

/** The fields of a record that do not depend on other captures. */
export function recordMembers(capture: Capture): string[] {
  const { routedExperts } = capture;
  const hasLogprobs = capture.logprobs?.every(Number.isFinite) === true;
  const problems =
    capture.logprobs === undefined || hasLogprobs
      ? capture.problems
      : [...capture.problems, 'logprobs are left out: not all of them are finite'];
  const members = [
    `"session_id":${JSON.stringify(capture.sessionId)}`,
    `"model":${JSON.stringify(capture.model)}`,
    `"response_message":${capture.responseMessage}`,
    `"completion_token_ids":[${capture.completionTokenIds.join(',')}]`,
    `"logprobs":${hasLogprobs ? `[${capture.logprobs!.join(',')}]` : 'null'}`,
    `"routing_matrices":${JSON.stringify(capture.routingMatrices ?? null)}`,
    `"finish_reason":${JSON.stringify(capture.finishReason ?? null)}`,
    `"weight_version":${isInteger(capture.weightVersion) ? capture.weightVersion : 'null'}`,
    `"latency_ms":${capture.latencyMs}`,
    `"token_counts":${JSON.stringify(tokenCounts(capture))}`,
    `"timestamp":${capture.timestampMs / 1_000}`,
    `"metadata":${stringifyJson(capture.metadata)}`,
    `"raw_request":${objectText(capture.rawRequest)}`,
    `"raw_response":${objectText(capture.rawResponse)}`,
    `"choice_index":${capture.choiceIndex}`,
    `"choice_count":${capture.choiceCount}`,
    `"wire":"${capture.wire}"`,
    `"engine":"${capture.engine}"`,
    `"worker":${JSON.stringify(capture.worker)}`,
    `"capture":"${capture.status}"`,
    `"capture_problems":${JSON.stringify(problems)}`,
    `"weight_versions":${JSON.stringify(capture.weightVersions)}`,
    `"temperature":${capture.temperature ?? 'null'}`,
    `"top_p":${capture.topP ?? 'null'}`,
  ];
  if (capture.tools !== undefined) members.push(`"tools":${capture.tools}`);
  const { weightVersionRange: range } = capture;
  if (range !== undefined) members.push(`"weight_version_range":${JSON.stringify(range)}`);
  if (capture.constraints !== undefined) members.push(`"constraints":${JSON.stringify(capture.constraints)}`);
  if (capture.samplingParams !== undefined) members.push(`"sampling_params":${capture.samplingParams}`);
  if (capture.overriddenParams !== undefined) members.push(`"overridden_params":${capture.overriddenParams}`);
  if (routedExperts !== undefined) members.push(`"routed_experts":${JSON.stringify(routedExperts)}`);
  return members;
}

/** Numbers of captured tokens, else as the engine counted. */
function tokenCounts(capture: Capture): { prompt?: number; completion?: number } {
  const prompt = capture.promptTokenIds.length || capture.usage.prompt;
  const completion = capture.completionTokenIds.length || capture.usage.completion;
  return {
    ...(isInteger(prompt) && { prompt }),
    ...(isInteger(completion) && { completion }),
  };
}

function isInteger(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}

/** A raw body where it is a JSON object, as the reader's model demands; a stream's text or a broken body is null. */
function objectText(text: string | undefined): string {
  if (text === undefined || !text.trimStart().startsWith('{')) return 'null';
  try {
    JSON.parse(text);
    return text;
  } catch {
    return 'null';
  }
}
