import type { RoutedExperts, Trace } from '@art/trajectories';
import { unpackIds } from './codec/packed-ids.ts';
import { unpackLogprobs } from './codec/packed-logprobs.ts';
import { textAt, type StoredTrace } from './codec/stored-trace.ts';
import { readTraceHeader, type TraceHeader } from './codec/trace-header.ts';

/** Puts a trace together again from what it holds itself and what it keeps of earlier ones. */
export function readTrace(traces: readonly StoredTrace[], ordinal: number): Trace {
  const stored = traces[ordinal]!;
  const header = readTraceHeader(stored.bytes.toString('utf8', stored.headerStart, stored.headerEnd));
  const completionTokenIds = new Int32Array(stored.completion.count);
  unpackIds(stored.completion, 0, stored.completion.count, completionTokenIds, 0);
  const { logprobs } = stored;
  return {
    traceId: header.traceId,
    sessionId: header.sessionId,
    choiceIndex: header.choiceIndex,
    choiceCount: header.choiceCount,
    wire: header.wire,
    engine: header.engine,
    worker: header.worker,
    model: header.model,
    timestampMs: header.timestampMs,
    latencyMs: header.latencyMs,
    messages: messagesOf(traces, ordinal),
    tools: toolsOf(traces[stored.toolsAt]),
    responseMessage: textAt(stored, stored.messageCount),
    promptTokenIds: promptOf(traces, ordinal),
    completionTokenIds,
    logprobs: logprobs && unpackLogprobs(stored.bytes, logprobs.offset, logprobs.count, logprobs.width),
    finishReason: header.finishReason,
    weightVersion: header.weightVersion,
    weightVersions: header.weightVersions,
    ...remainingTexts(stored, header),
    usage: header.usage,
    temperature: header.temperature,
    topP: header.topP,
    capture: header.capture,
    problems: header.problems,
    metadata: header.metadata,
  };
}

function promptOf(traces: readonly StoredTrace[], ordinal: number): Int32Array {
  const { promptKept, promptSuffix } = traces[ordinal]!;
  const ids = new Int32Array(promptKept + promptSuffix.count);
  let end = ids.length;
  let at = ordinal;
  // From the end to the beginning: each trace up the chain gives what it holds below `end`.
  while (end > 0) {
    const trace = traces[at]!;
    const suffixEnd = trace.promptKept + trace.promptSuffix.count;
    if (end > suffixEnd) unpackIds(trace.completion, 0, end - suffixEnd, ids, suffixEnd);
    const upTo = Math.min(end, suffixEnd);
    if (upTo > trace.promptKept) {
      unpackIds(trace.promptSuffix, 0, upTo - trace.promptKept, ids, trace.promptKept);
    }
    end = Math.min(end, trace.promptKept);
    at = trace.promptParent;
  }
  return ids;
}

function messagesOf(traces: readonly StoredTrace[], ordinal: number): string[] {
  const { messagesKept, messageCount } = traces[ordinal]!;
  let end = messagesKept + messageCount;
  const messages = Array.from<string>({ length: end });
  let at = ordinal;
  while (end > 0) {
    const trace = traces[at]!;
    for (let index = trace.messagesKept; index < end; index += 1) {
      messages[index] = textAt(trace, index - trace.messagesKept);
    }
    end = Math.min(end, trace.messagesKept);
    at = trace.messagesParent;
  }
  return messages;
}

function toolsOf(holder: StoredTrace | undefined): string | undefined {
  return holder && textAt(holder, holder.messageCount + 1);
}

function remainingTexts(
  stored: StoredTrace,
  header: TraceHeader,
): Pick<Trace, 'routedExperts' | 'routingMatrices' | 'rawRequest' | 'rawResponse'> {
  let next = stored.messageCount + (header.hasTools ? 2 : 1);
  const take = (): string => textAt(stored, next++);
  let routedExperts: RoutedExperts | undefined;
  if (header.experts !== undefined) {
    const { encoding, shape } = header.experts;
    routedExperts = { data: take(), encoding, ...(shape !== undefined && { shape }) };
  }
  return {
    routedExperts,
    routingMatrices:
      header.matrixCount === undefined ? undefined : Array.from({ length: header.matrixCount }, take),
    rawRequest: header.hasRawRequest ? take() : undefined,
    rawResponse: header.hasRawResponse ? take() : undefined,
  };
}
