import { stringifyJson } from '@art/ground';
import type { Trace } from './trace.ts';

/**
 * A trace as JSON text in the shape of rllm-model-gateway's TraceRecord, and with fields of our own behind its, which its
 * readers pass over. Messages, tools and the response are spliced in as they came. `weight_version` is an integer or null
 * and the lists of ids are always lists, as its Python models demand. `timestamp` is in seconds.
 */
export function toTraceRecord(trace: Trace): string {
  return `{${[
    `"trace_id":${JSON.stringify(trace.traceId)}`,
    `"messages":[${trace.messages.join(',')}]`,
    `"prompt_token_ids":[${trace.promptTokenIds.join(',')}]`,
    ...recordMembers(trace),
  ].join(',')}}`;
}

/** The fields of a record that do not depend on other traces. */
export function recordMembers(trace: Trace): string[] {
  const { routedExperts } = trace;
  const hasLogprobs = trace.logprobs?.every(Number.isFinite) === true;
  const problems =
    trace.logprobs === undefined || hasLogprobs
      ? trace.problems
      : [...trace.problems, 'logprobs are left out: not all of them are finite'];
  const members = [
    `"session_id":${JSON.stringify(trace.sessionId)}`,
    `"model":${JSON.stringify(trace.model)}`,
    `"response_message":${trace.responseMessage}`,
    `"completion_token_ids":[${trace.completionTokenIds.join(',')}]`,
    `"logprobs":${hasLogprobs ? `[${trace.logprobs!.join(',')}]` : 'null'}`,
    `"routing_matrices":${JSON.stringify(trace.routingMatrices ?? null)}`,
    `"finish_reason":${JSON.stringify(trace.finishReason ?? null)}`,
    `"weight_version":${isInteger(trace.weightVersion) ? trace.weightVersion : 'null'}`,
    `"latency_ms":${trace.latencyMs}`,
    `"token_counts":${JSON.stringify(tokenCounts(trace))}`,
    `"timestamp":${trace.timestampMs / 1_000}`,
    `"metadata":${stringifyJson(trace.metadata)}`,
    `"raw_request":${objectText(trace.rawRequest)}`,
    `"raw_response":${objectText(trace.rawResponse)}`,
    `"choice_index":${trace.choiceIndex}`,
    `"choice_count":${trace.choiceCount}`,
    `"wire":"${trace.wire}"`,
    `"engine":"${trace.engine}"`,
    `"worker":${JSON.stringify(trace.worker)}`,
    `"capture":"${trace.capture}"`,
    `"capture_problems":${JSON.stringify(problems)}`,
    `"weight_versions":${JSON.stringify(trace.weightVersions)}`,
    `"temperature":${trace.temperature ?? 'null'}`,
    `"top_p":${trace.topP ?? 'null'}`,
  ];
  if (trace.tools !== undefined) members.push(`"tools":${trace.tools}`);
  const { weightVersionRange: range } = trace;
  if (range !== undefined) members.push(`"weight_version_range":${JSON.stringify(range)}`);
  if (trace.constraints !== undefined) members.push(`"constraints":${JSON.stringify(trace.constraints)}`);
  if (trace.samplingParams !== undefined) members.push(`"sampling_params":${trace.samplingParams}`);
  if (trace.overriddenParams !== undefined) members.push(`"overridden_params":${trace.overriddenParams}`);
  if (routedExperts !== undefined) members.push(`"routed_experts":${JSON.stringify(routedExperts)}`);
  return members;
}

/** Numbers of captured tokens, else as the engine counted. */
function tokenCounts(trace: Trace): { prompt?: number; completion?: number } {
  const prompt = trace.promptTokenIds.length || trace.usage.prompt;
  const completion = trace.completionTokenIds.length || trace.usage.completion;
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
