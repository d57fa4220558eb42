import { canonicalMessage } from '../messages/canonical-message.ts';
import { tokenCount, tokenTree } from '../tree/token-tree.ts';
import type { PrefixNode } from '../tree/prefix-tree.ts';
import { recordMembers } from '../captures/to-capture-record.ts';
import type { Capture } from '../captures/capture.ts';

/**
 * Captures of one session, oldest first, as `{"format":"compact","version":1,"deltas":[...]}`: what a capture continues is not
 * repeated. With a parent, its messages are those of the parent, the parent's response, and `messages_suffix`; its prompt
 * ids are the parent's prompt and completion, and `prompt_ids_suffix`. Where the agent's echo of the response is spelt
 * otherwise than the response, `echoed_response` has the agent's text, so that nothing is lost. All other fields are
 * those of a record.
 */
export function toCompactCaptures(captures: readonly Capture[]): string {
  const parents = parentsOf(captures);
  const deltas = captures.map((capture, index) => {
    const parent = parents[index];
    return `{${[
      `"trace_id":${JSON.stringify(capture.captureId)}`,
      `"parent_trace_id":${JSON.stringify(parent?.captureId ?? null)}`,
      ...suffixMembers(capture, parent),
      ...recordMembers(capture),
    ].join(',')}}`;
  });
  return `{"format":"compact","version":1,"deltas":[${deltas.join(',')}]}`;
}

function suffixMembers(capture: Capture, parent: Capture | undefined): string[] {
  if (parent === undefined) {
    return [
      `"messages_suffix":[${capture.messages.join(',')}]`,
      `"prompt_ids_suffix":[${capture.promptTokenIds.join(',')}]`,
    ];
  }
  const echo = capture.messages[parent.messages.length]!;
  const members = [
    `"messages_suffix":[${capture.messages.slice(parent.messages.length + 1).join(',')}]`,
    `"prompt_ids_suffix":[${capture.promptTokenIds.subarray(tokenCount(parent)).join(',')}]`,
  ];
  if (echo !== parent.responseMessage) members.push(`"echoed_response":${echo}`);
  return members;
}

/** For each capture the earlier one that it continues, in tokens and in messages; the longest where there are several. */
function parentsOf(captures: readonly Capture[]): (Capture | undefined)[] {
  const tree = tokenTree(captures);
  const byEnd = new Map<PrefixNode, Capture[]>();
  return captures.map((capture, index) => {
    let best: Capture | undefined;
    for (const end of tree.endsBefore(index, capture.promptTokenIds.length)) {
      for (const candidate of byEnd.get(end) ?? []) {
        const isLonger = best === undefined || candidate.messages.length > best.messages.length;
        if (isLonger && continuesMessages(capture, candidate)) best = candidate;
      }
    }
    const end = tree.endOf(index);
    byEnd.set(end, [capture, ...(byEnd.get(end) ?? [])]);
    return best;
  });
}

/**
 * True if the agent's echo of the answer says the same. An echo without the reasoning is another message: a reader that puts the response
 * in the place of the echo would show what the model never saw.
 */
function continuesMessages(capture: Capture, parent: Capture): boolean {
  const echo = capture.messages[parent.messages.length];
  return (
    echo !== undefined &&
    // From the end: long beginnings are what conversations have in common.
    parent.messages.findLastIndex((message, index) => capture.messages[index] !== message) === -1 &&
    (echo === parent.responseMessage || said(echo) === said(parent.responseMessage))
  );
}

function said(message: string): string {
  return canonicalMessage(message, { compare: 'content+reasoning' }).text;
}
