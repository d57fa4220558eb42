import { PrefixTree, type Trace, type RoutedExperts } from '@art/trajectories';
import type { NewTrace, TextBytes } from './trace-store.ts';
import { commonIds, unpackIds, unpackLogprobs } from './packed-numbers.ts';
import {
  isTextAt,
  ownTexts,
  type StoredTrace,
  decodeTrace,
  encodeTrace,
  writeTraceHeader,
  textAt,
  readTraceHeader,
  type TraceHeader,
} from './stored-trace.ts';

// Agents that work in turns under one session have different tools each; there are rarely more than a few.
const toolsLookback = 16;

/** The traces of one session, each as what it adds to an earlier one. Reading gives back exactly what was added. */
export class SessionTraces {
  readonly #traces: StoredTrace[] = [];
  readonly #traceIds: string[] = [];
  #tokens = new PrefixTree();
  #texts = new PrefixTree();
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
    const ids = trace.promptTokenIds;
    const prompt = this.#tokens.follow(this.#tokens.start, ids.length, (owner, from, to) =>
      commonTokens(this.#traces[owner]!, from, to, ids, from),
    );
    const messages = this.#texts.follow(this.#texts.start, trace.messages.length, (owner, from, to) =>
      commonTexts(this.#traces[owner]!, from, trace.messages.slice(from, to)),
    );
    const ordinal = this.#traces.length;
    const toolsAt = this.#toolsAt(trace, ordinal);
    const hasTools = toolsAt === ordinal;
    const header = writeTraceHeader(trace, { ordinal, storedAtMs, hasTools });
    const bytes = encodeTrace(
      trace,
      {
        promptParent: prompt.node.owner,
        promptKept: prompt.depth,
        messagesParent: messages.node.owner,
        messagesKept: messages.depth,
        toolsAt,
      },
      header,
      hasTools,
    );
    this.#push(decodeTrace(bytes), trace.traceId);
    return bytes;
  }

  /** Adds a trace as `add` returned it, in the same order. */
  load(bytes: Buffer): void {
    const stored = decodeTrace(bytes);
    this.#push(stored, readTraceHeader(stored).traceId);
  }

  /** Forgets all but the first `count`. */
  truncate(count: number): void {
    for (const { bytes } of this.#traces.splice(count)) this.#bytes -= bytes.byteLength;
    this.#traceIds.length = count;
    this.#tokens = new PrefixTree();
    this.#texts = new PrefixTree();
    for (const stored of this.#traces) this.#place(stored);
  }

  read(ordinal: number): Trace {
    const { promptParent, promptKept } = this.#traces[ordinal]!;
    const prefix = { traceId: this.#traceIds[promptParent], kept: promptKept };
    return { ...readTrace(this.#traces, ordinal), prefix };
  }

  #push(stored: StoredTrace, traceId: string): void {
    this.#place(stored);
    this.#traces.push(stored);
    this.#traceIds.push(traceId);
    this.#bytes += stored.bytes.byteLength;
  }

  /** Goes on from what a trace keeps of an earlier one: its answer may be that of another one too. */
  #place(stored: StoredTrace): void {
    const { promptParent, promptKept, messagesParent, messagesKept } = stored;
    const ids = ownTokens(stored);
    const tokens = this.#tokens.follow(
      this.#tokens.placeOf(promptParent, promptKept),
      promptKept + ids.length,
      (owner, from, to) => commonTokens(this.#traces[owner]!, from, to, ids, from - promptKept),
    );
    this.#tokens.add(tokens, promptKept + ids.length);
    const own = ownTexts(stored);
    const texts = this.#texts.follow(
      this.#texts.placeOf(messagesParent, messagesKept),
      messagesKept + own.length,
      (owner, from, to) =>
        commonTexts(this.#traces[owner]!, from, own.slice(from - messagesKept, to - messagesKept)),
    );
    this.#texts.add(texts, messagesKept + own.length);
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

/** How many of a trace's tokens from `from` up to `to`, all of which it holds itself, equal `ids` from `start` on. */
function commonTokens(
  { promptKept, promptSuffix, completion }: StoredTrace,
  from: number,
  to: number,
  ids: Int32Array,
  start: number,
): number {
  const promptEnd = promptKept + promptSuffix.count;
  const inPrompt = Math.max(0, Math.min(to, promptEnd) - from);
  const shared = inPrompt === 0 ? 0 : commonIds(promptSuffix, from - promptKept, inPrompt, ids, start);
  if (shared < inPrompt || from + shared === to) return shared;
  const at = from + shared;
  return shared + commonIds(completion, at - promptEnd, to - at, ids, start + shared);
}

/** How many of a trace's messages and its response, from `from` on, all of which it holds itself, are these. */
function commonTexts(stored: StoredTrace, from: number, texts: readonly TextBytes[]): number {
  const differing = texts.findIndex(
    (text, index) => !isTextAt(stored, from - stored.messagesKept + index, text),
  );
  return differing === -1 ? texts.length : differing;
}

/** The tokens, prompt and answer, that a trace holds itself. */
function ownTokens({ promptSuffix, completion }: StoredTrace): Int32Array {
  const ids = new Int32Array(promptSuffix.count + completion.count);
  unpackIds(promptSuffix, 0, promptSuffix.count, ids, 0);
  unpackIds(completion, 0, completion.count, ids, promptSuffix.count);
  return ids;
}

/** Puts a trace together again from what it holds itself and what it keeps of earlier ones. */
function readTrace(traces: readonly StoredTrace[], ordinal: number): Trace {
  const stored = traces[ordinal]!;
  const header = readTraceHeader(stored);
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
