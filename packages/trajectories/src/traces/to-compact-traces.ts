import { isJsonObject, parseJson } from '@art/protocol';
import { recordMembers } from './to-trace-record.ts';
import type { Trace } from './trace.ts';

/** How many earlier traces are looked at for a parent, the newest first. */
const maxCandidates = 64;

/**
 * Traces of one session, oldest first, as `{"format":"compact","version":1,"deltas":[...]}`: what a trace continues is not
 * repeated. With a parent, its messages are those of the parent, the parent's response, and `messages_suffix`; its prompt
 * ids are the parent's prompt and completion, and `prompt_ids_suffix`. Where the agent's echo of the response is spelt
 * otherwise than the response, `echoed_response` has the agent's text, so that nothing is lost. All other members are
 * those of a record.
 */
export function toCompactTraces(traces: readonly Trace[]): string {
  const deltas = traces.map((trace, index) => {
    const parent = parentOf(traces, index);
    return `{${[
      `"trace_id":${JSON.stringify(trace.traceId)}`,
      `"parent_trace_id":${JSON.stringify(parent?.traceId ?? null)}`,
      ...suffixMembers(trace, parent),
      ...recordMembers(trace),
    ].join(',')}}`;
  });
  return `{"format":"compact","version":1,"deltas":[${deltas.join(',')}]}`;
}

function suffixMembers(trace: Trace, parent: Trace | undefined): string[] {
  if (parent === undefined) {
    return [
      `"messages_suffix":[${trace.messages.join(',')}]`,
      `"prompt_ids_suffix":[${trace.promptTokenIds.join(',')}]`,
    ];
  }
  const echo = trace.messages[parent.messages.length]!;
  const tokens = parent.promptTokenIds.length + parent.completionTokenIds.length;
  const members = [
    `"messages_suffix":[${trace.messages.slice(parent.messages.length + 1).join(',')}]`,
    `"prompt_ids_suffix":[${trace.promptTokenIds.subarray(tokens).join(',')}]`,
  ];
  if (echo !== parent.responseMessage) members.push(`"echoed_response":${echo}`);
  return members;
}

/** The earlier trace that this one continues, in tokens and in messages; the longest where there are several. */
function parentOf(traces: readonly Trace[], index: number): Trace | undefined {
  const trace = traces[index]!;
  let best: Trace | undefined;
  for (const candidate of traces.slice(Math.max(0, index - maxCandidates), index).toReversed()) {
    const isLonger = best === undefined || candidate.messages.length > best.messages.length;
    if (isLonger && continuesTokens(trace, candidate) && continuesMessages(trace, candidate))
      best = candidate;
  }
  return best;
}

function continuesTokens(trace: Trace, parent: Trace): boolean {
  const { promptTokenIds: ids } = trace;
  const promptCount = parent.promptTokenIds.length;
  const count = promptCount + parent.completionTokenIds.length;
  return (
    ids.length >= count &&
    parent.promptTokenIds.every((id, index) => ids[index] === id) &&
    parent.completionTokenIds.every((id, index) => ids[promptCount + index] === id)
  );
}

function continuesMessages(trace: Trace, parent: Trace): boolean {
  const echo = trace.messages[parent.messages.length];
  return (
    echo !== undefined &&
    parent.messages.every((message, index) => trace.messages[index] === message) &&
    (echo === parent.responseMessage || canonical(echo) === canonical(parent.responseMessage))
  );
}

/**
 * A message in a spelling that does not depend on the order of members, on spaces, on members that are empty, or on which of
 * its names the reasoning has. An echo without the reasoning is another message: a reader that puts the response in the
 * place of the echo would show what the model never saw.
 */
function canonical(message: string): string {
  try {
    const value = parseJson(message);
    if (!isJsonObject(value)) return message;
    const { reasoning, reasoning_content: content, provider_specific_fields: fields, ...rest } = value;
    const { reasoning: again, ...others }: Record<string, unknown> = isJsonObject(fields) ? fields : {};
    const members = {
      ...rest,
      reasoning: content ?? reasoning ?? again,
      provider_specific_fields: withoutEmpty(others),
    };
    return JSON.stringify(withoutEmpty(members), sortMembers);
  } catch {
    return message;
  }
}

function withoutEmpty(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, content]) => !isEmpty(content)));
}

function sortMembers(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
