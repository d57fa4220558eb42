import { canonicalMessage } from '../messages/canonical-message.ts';
import { beginsWith } from '../messages/token-prefix.ts';
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
    if (
      isLonger &&
      beginsWith(trace.promptTokenIds, candidate.promptTokenIds, candidate.completionTokenIds) &&
      continuesMessages(trace, candidate)
    )
      best = candidate;
  }
  return best;
}

/**
 * Whether the agent's echo of the answer says the same. An echo without the reasoning is another message: a reader that puts the
 * response in the place of the echo would show what the model never saw.
 */
function continuesMessages(trace: Trace, parent: Trace): boolean {
  const echo = trace.messages[parent.messages.length];
  return (
    echo !== undefined &&
    parent.messages.every((message, index) => trace.messages[index] === message) &&
    (echo === parent.responseMessage || said(echo) === said(parent.responseMessage))
  );
}

function said(message: string): string {
  return canonicalMessage(message, { minds: 'thoughts' }).text;
}
