import type { Trace, RoutedExperts } from '@art/trajectories';
import type { NewTrace } from './trace-store.ts';
import { commonIds, unpackIds, unpackLogprobs } from './packed-numbers.ts';
import {
  isTextAt,
  textCount,
  tokenCount,
  type StoredTrace,
  decodeTrace,
  encodeTrace,
  writeTraceHeader,
  textAt,
  readTraceHeader,
  type TraceHeader,
} from './stored-trace.ts';

/** A sequence that is kept as what it adds to the beginning of an earlier one. */
interface PrefixNode {
  /** Index of the earlier sequence, -1 for none. */
  readonly parent: number;
  /** How many of its items this one begins with. */
  readonly kept: number;
  /** How many items it has in all. */
  readonly count: number;
}

/** The chain of earlier sequences, as `longestPrefix` walks it. */
export interface PrefixChain {
  readonly length: number;
  node(index: number): PrefixNode;
  /** How many items that the sequence itself holds, behind the kept ones, equal the new sequence from `kept` on. */
  commonOwn(index: number): number;
}

/** An earlier sequence and how much of the new one it begins with. */
interface PrefixMatch {
  /** -1 where nothing is shared. */
  parent: number;
  kept: number;
}

// A conversation continues one of its last turns. Sessions with many parallel ones, or none at all, must not make an
// append cost the whole session.
const maxCandidates = 64;

/**
 * Finds the sequence that shares the longest beginning with a new one, looking at the newest first and ending at the
 * first that the new one continues entirely. Each sequence is compared once, so that a chain of turns costs one pass over
 * the tokens and not one for each turn.
 */
export function longestPrefix(chain: PrefixChain, newCount: number): PrefixMatch {
  const known = new Map<number, number>();
  const best: PrefixMatch = { parent: -1, kept: 0 };
  const last = Math.max(0, chain.length - maxCandidates);
  for (let index = chain.length - 1; index >= last; index -= 1) {
    const shared = sharedWith(chain, index, known);
    if (shared > best.kept) {
      best.parent = index;
      best.kept = shared;
    }
    if (best.kept === newCount || (shared > 0 && shared === chain.node(index).count)) break;
  }
  return best;
}

function sharedWith(chain: PrefixChain, index: number, known: Map<number, number>): number {
  const path: number[] = [];
  let at = index;
  while (at >= 0 && !known.has(at)) {
    path.push(at);
    at = chain.node(at).parent;
  }
  let shared = at < 0 ? 0 : known.get(at)!;
  for (let step = path.length - 1; step >= 0; step -= 1) {
    const { kept } = chain.node(path[step]!);
    if (shared >= kept) shared = kept + chain.commonOwn(path[step]!);
    known.set(path[step]!, shared);
  }
  return shared;
}

// Agents that work in turns under one session have different tools each; there are rarely more than a few.
const toolsLookback = 16;

/** The traces of one session, each as what it adds to an earlier one. Reading gives back exactly what was added. */
export class SessionTraces {
  readonly #traces: StoredTrace[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;

  get count(): number {
    return this.#traces.length;
  }

  /** What the traces take, without the few hundred bytes of objects around each of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a trace behind the others; its bytes, from which `load` makes it again. */
  add(trace: NewTrace, storedAtMs: number): Buffer {
    const prompt = this.#promptPrefix(trace);
    const messages = this.#messagesPrefix(trace);
    const ordinal = this.#traces.length;
    const toolsAt = this.#toolsAt(trace, ordinal);
    const hasTools = toolsAt === ordinal;
    const header = writeTraceHeader(trace, { ordinal, storedAtMs, hasTools });
    const bytes = encodeTrace(
      trace,
      {
        promptParent: prompt.parent,
        promptKept: prompt.kept,
        messagesParent: messages.parent,
        messagesKept: messages.kept,
        toolsAt,
      },
      header,
      hasTools,
    );
    this.load(bytes);
    return bytes;
  }

  /** Adds a trace as `add` returned it, in the same order. */
  load(bytes: Buffer): void {
    this.#traces.push(decodeTrace(bytes));
    this.#sizes.push(bytes.byteLength);
    this.#bytes += bytes.byteLength;
  }

  /** Forgets all but the first `count`. */
  truncate(count: number): void {
    this.#traces.length = count;
    for (const size of this.#sizes.splice(count)) this.#bytes -= size;
  }

  read(ordinal: number): Trace {
    return readTrace(this.#traces, ordinal);
  }

  #promptPrefix(trace: NewTrace): PrefixMatch {
    const ids = trace.promptTokenIds;
    const traces = this.#traces;
    return longestPrefix(
      {
        length: traces.length,
        node: (index) => {
          const { promptParent, promptKept } = traces[index]!;
          return { parent: promptParent, kept: promptKept, count: tokenCount(traces[index]!) };
        },
        commonOwn: (index) => {
          const { promptKept, promptSuffix, completion } = traces[index]!;
          const shared = commonIds(promptSuffix, ids, promptKept);
          if (shared < promptSuffix.count) return shared;
          return shared + commonIds(completion, ids, promptKept + shared);
        },
      },
      ids.length,
    );
  }

  #messagesPrefix(trace: NewTrace): PrefixMatch {
    const traces = this.#traces;
    return longestPrefix(
      {
        length: traces.length,
        node: (index) => {
          const { messagesParent, messagesKept } = traces[index]!;
          return { parent: messagesParent, kept: messagesKept, count: textCount(traces[index]!) };
        },
        commonOwn: (index) => {
          const stored = traces[index]!;
          const { messagesKept, messageCount } = stored;
          const most = Math.min(messageCount + 1, trace.messages.length - messagesKept);
          let shared = 0;
          while (shared < most && isTextAt(stored, shared, trace.messages[messagesKept + shared]!))
            shared += 1;
          return shared;
        },
      },
      trace.messages.length,
    );
  }

  /** Which trace holds the text of this one's tools: an earlier one where it is the same, else itself. */
  #toolsAt(trace: NewTrace, ordinal: number): number {
    if (trace.tools === undefined) return -1;
    const seen = new Set<number>([-1]);
    for (const { toolsAt } of this.#traces.slice(-toolsLookback).toReversed()) {
      if (seen.has(toolsAt)) continue;
      seen.add(toolsAt);
      const holder = this.#traces[toolsAt]!;
      if (isTextAt(holder, holder.messageCount + 1, trace.tools)) return toolsAt;
    }
    return ordinal;
  }
}

/** Puts a trace together again from what it holds itself and what it keeps of earlier ones. */
function readTrace(traces: readonly StoredTrace[], ordinal: number): Trace {
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
