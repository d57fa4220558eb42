import type { ModelCallRecord } from '@art/trajectories';
import type { TranscriptRecord } from '@art/eval/records';
import { type Message, readMessage } from '../../report/read-message.ts';

/** A message and what is known of it. */
export interface ConversationEntry {
  at: number;
  message: Message;
  /** The call whose answer it is. */
  call: ModelCallRecord | undefined;
  /** Which conversation it belongs to, from 1, where an agent held several. */
  thread: number;
  /** Results of its tool calls by their ids; such messages are not their own entries. */
  results: Map<string, ToolResult>;
}

export interface ToolResult {
  text: string;
  /** From the end of the call that asked for the tool until the one that was told the result, in milliseconds. */
  elapsedMs: number | undefined;
}

/**
 * The messages of a transcript in their order, tool results joined to the calls that asked for them. What is malformed is shown as
 * it is.
 */
export function conversationEntries({
  messages,
  calls,
}: Pick<TranscriptRecord, 'messages' | 'calls'>): ConversationEntry[] {
  const read = messages.map(readMessage);
  const answers = new Map(calls.map((call) => [call.answer, call]));
  const told = firstCallsWith(calls);
  const threads = threadsOf(messages.length, calls);
  const askers = new Map<string, number>();
  const results = new Map<number, Map<string, ToolResult>>();
  const joined = new Set<number>();
  for (const [at, message] of read.entries()) {
    for (const call of message.toolCalls) if (call.id !== '') askers.set(call.id, at);
    for (const result of message.toolResults) {
      const asker = askers.get(result.id);
      if (asker === undefined) continue;
      const known = results.get(asker) ?? new Map<string, ToolResult>();
      known.set(result.id, { text: result.text, elapsedMs: elapsedOf(answers.get(asker), told.get(at)) });
      results.set(asker, known);
      if (message.isOnlyResults) joined.add(at);
    }
  }
  return read.flatMap((message, at) =>
    joined.has(at)
      ? []
      : [
          {
            at,
            message,
            call: answers.get(at),
            thread: threads[at] ?? 1,
            results: results.get(at) ?? new Map<string, ToolResult>(),
          },
        ],
  );
}

/** For each message the first call that was sent it. */
function firstCallsWith(calls: readonly ModelCallRecord[]): Map<number, ModelCallRecord> {
  const first = new Map<number, ModelCallRecord>();
  for (const call of calls) for (const at of call.prompt) if (!first.has(at)) first.set(at, call);
  return first;
}

function elapsedOf(
  asked: ModelCallRecord | undefined,
  told: ModelCallRecord | undefined,
): number | undefined {
  if (asked === undefined || told === undefined) return undefined;
  const elapsedMs = told.startedAtMs - (asked.startedAtMs + asked.latencyMs);
  return elapsedMs >= 0 ? elapsedMs : undefined;
}

/** A call continues with the conversation whose last answer it was sent; any other one begins anew. */
function threadsOf(count: number, calls: readonly ModelCallRecord[]): number[] {
  const threads: number[] = [];
  const last: number[] = [];
  for (const { prompt, answer } of calls) {
    const sent = new Set(prompt);
    let thread = last.findLastIndex((known) => sent.has(known));
    if (thread === -1) thread = last.length;
    last[thread] = answer;
    for (const at of [...prompt, answer]) if (at < count) threads[at] ??= thread + 1;
  }
  return threads;
}
