import { canonicalMessage } from '../messages/canonical-message.ts';
import { tokenCount, tokenTree } from '../tree/token-tree.ts';
import type { PrefixNode } from '../tree/prefix-tree.ts';
import { recordMembers } from '../traces/to-trace-record.ts';
import type { Trace } from '../traces/trace.ts';

/**
 * Traces of one session, oldest first, as `{"format":"compact","version":1,"deltas":[...]}`: what a trace continues is not
 * repeated. With a parent, its messages are those of the parent, the parent's response, and `messages_suffix`; its prompt
 * ids are the parent's prompt and completion, and `prompt_ids_suffix`. Where the agent's echo of the response is spelt
 * otherwise than the response, `echoed_response` has the agent's text, so that nothing is lost. All other fields are
 * those of a record.
 */
export function toCompactTraces(traces: readonly Trace[]): string {
  const parents = parentsOf(traces);
  const deltas = traces.map((trace, index) => {
    const parent = parents[index];
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
  const members = [
    `"messages_suffix":[${trace.messages.slice(parent.messages.length + 1).join(',')}]`,
    `"prompt_ids_suffix":[${trace.promptTokenIds.subarray(tokenCount(parent)).join(',')}]`,
  ];
  if (echo !== parent.responseMessage) members.push(`"echoed_response":${echo}`);
  return members;
}

/** For each trace the earlier one that it continues, in tokens and in messages; the longest where there are several. */
function parentsOf(traces: readonly Trace[]): (Trace | undefined)[] {
  const tree = tokenTree(traces);
  const byEnd = new Map<PrefixNode, Trace[]>();
  return traces.map((trace, index) => {
    let best: Trace | undefined;
    for (const end of tree.endsBefore(index, trace.promptTokenIds.length)) {
      for (const candidate of byEnd.get(end) ?? []) {
        const isLonger = best === undefined || candidate.messages.length > best.messages.length;
        if (isLonger && continuesMessages(trace, candidate)) best = candidate;
      }
    }
    const end = tree.endOf(index);
    byEnd.set(end, [trace, ...(byEnd.get(end) ?? [])]);
    return best;
  });
}

/**
 * True if the agent's echo of the answer says the same. An echo without the reasoning is another message: a reader that puts the response
 * in the place of the echo would show what the model never saw.
 */
function continuesMessages(trace: Trace, parent: Trace): boolean {
  const echo = trace.messages[parent.messages.length];
  return (
    echo !== undefined &&
    // From the end: long beginnings are what conversations have in common.
    parent.messages.findLastIndex((message, index) => trace.messages[index] !== message) === -1 &&
    (echo === parent.responseMessage || said(echo) === said(parent.responseMessage))
  );
}

function said(message: string): string {
  return canonicalMessage(message, { compare: 'content+reasoning' }).text;
}
