import { PrefixTree, type Trace } from '@art/trajectories';
import { commonIds, unpackIds } from './packed-numbers.ts';
import { storeTrace, type StoredTrace } from './stored-trace.ts';
import type { NewTrace, TextBytes } from './trace-store.ts';

// Agents that work in turns under one session have different tools each; there are rarely more than a few.
const toolsLookback = 16;

/** The traces of one session, each as what it adds to an earlier one. Reading gives back exactly what was added. */
export class SessionTraces {
  readonly #traces: StoredTrace[] = [];
  readonly #traceIds: string[] = [];
  /** The tokens of each trace, prompt and answer. */
  #tokens = new PrefixTree();
  /** The texts of each trace, messages and response. */
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
    const { promptTokenIds: ids, messages } = trace;
    const traces = this.#traces;
    const prompt = this.#tokens.follow(this.#tokens.start, ids.length, (owner, from, to) =>
      commonTokens(traces[owner]!, from, to, ids, from),
    );
    const said = this.#texts.follow(this.#texts.start, messages.length, (owner, from, to) =>
      commonTexts(traces[owner]!, from, messages.slice(from, to)),
    );
    const sharing = {
      ordinal: traces.length,
      promptParent: prompt.node.owner,
      promptKept: prompt.depth,
      messagesParent: said.node.owner,
      messagesKept: said.depth,
      toolsAt: this.#toolsAt(trace),
    };
    const stored = storeTrace(trace, sharing, storedAtMs);
    this.#push(stored, trace.traceId);
    return stored.bytes;
  }

  /** Adds a trace as `add` returned it, in the same order. */
  load(stored: StoredTrace): void {
    this.#push(stored, stored.header().fields.traceId);
  }

  /** Forgets all but the first `count`. */
  truncate(count: number): void {
    for (const { bytes } of this.#traces.splice(count)) this.#bytes -= bytes.byteLength;
    this.#traceIds.length = count;
    this.#tokens = new PrefixTree();
    this.#texts = new PrefixTree();
    for (const stored of this.#traces) this.#place(stored);
  }

  /** Puts a trace together again from what it holds itself and what it keeps of earlier ones. */
  read(ordinal: number): Trace {
    const stored = this.#traces[ordinal]!;
    const { parts, fields } = stored.header();
    const { promptParent, promptKept, completion, messageCount } = stored;
    const holder = this.#traces[stored.toolsAt];
    let next = messageCount + (parts.hasTools ? 2 : 1);
    const take = (): string => stored.text(next++);
    return {
      ...fields,
      messages: this.#messagesOf(ordinal),
      tools: holder?.text(toolsPlace(holder)),
      responseMessage: stored.text(messageCount),
      promptTokenIds: this.#promptOf(ordinal),
      completionTokenIds: unpackIds(completion, new Int32Array(completion.count)),
      logprobs: stored.logprobs,
      // In the order in which they were written.
      routedExperts: parts.experts && { data: take(), ...parts.experts },
      routingMatrices:
        parts.matrixCount === undefined ? undefined : Array.from({ length: parts.matrixCount }, take),
      rawRequest: parts.hasRawRequest ? take() : undefined,
      rawResponse: parts.hasRawResponse ? take() : undefined,
      prefix: { traceId: this.#traceIds[promptParent], kept: promptKept },
    };
  }

  #push(stored: StoredTrace, traceId: string): void {
    this.#place(stored);
    this.#traces.push(stored);
    this.#traceIds.push(traceId);
    this.#bytes += stored.bytes.byteLength;
  }

  /** Puts a trace into the trees, below what it keeps of earlier ones. Its answer can be that of another only where its prompt is. */
  #place(stored: StoredTrace): void {
    const { promptParent, promptKept, promptSuffix, completion, messagesKept, messageCount } = stored;
    const promptEnd = promptKept + promptSuffix.count;
    let tokens = this.#tokens.placeOf(promptParent, promptKept);
    if (promptSuffix.count === 0) {
      const ids = unpackIds(completion, new Int32Array(completion.count));
      tokens = this.#tokens.follow(tokens, promptEnd + ids.length, (owner, from, to) =>
        commonTokens(this.#traces[owner]!, from, to, ids, from - promptEnd),
      );
    }
    this.#tokens.add(tokens, promptEnd + completion.count);
    const textsEnd = messagesKept + messageCount + 1;
    let texts = this.#texts.placeOf(stored.messagesParent, messagesKept);
    if (messageCount === 0) {
      texts = this.#texts.follow(texts, textsEnd, (owner, from) =>
        commonTexts(this.#traces[owner]!, from, [stored.text(0)]),
      );
    }
    this.#texts.add(texts, textsEnd);
  }

  /** Which trace holds the text of a new one's tools: an earlier one where it is the same, else itself; -1 for none. */
  #toolsAt({ tools }: NewTrace): number {
    if (tools === undefined) return -1;
    const holders = new Set(this.#traces.slice(-toolsLookback).map(({ toolsAt }) => toolsAt));
    holders.delete(-1);
    for (const toolsAt of [...holders].toReversed()) {
      const holder = this.#traces[toolsAt]!;
      if (holder.isText(toolsPlace(holder), tools)) return toolsAt;
    }
    return this.#traces.length;
  }

  #promptOf(ordinal: number): Int32Array {
    const { promptKept, promptSuffix } = this.#traces[ordinal]!;
    const ids = new Int32Array(promptKept + promptSuffix.count);
    let end = ids.length;
    // From the end to the beginning: each trace up the chain gives what it holds below `end`.
    for (let at = ordinal; end > 0; at = this.#traces[at]!.promptParent) {
      const trace = this.#traces[at]!;
      const from = trace.promptKept;
      const suffixEnd = from + trace.promptSuffix.count;
      if (end > suffixEnd) unpackIds(trace.completion, ids.subarray(suffixEnd, end));
      if (end > from) unpackIds(trace.promptSuffix, ids.subarray(from, Math.min(end, suffixEnd)));
      end = Math.min(end, from);
    }
    return ids;
  }

  #messagesOf(ordinal: number): string[] {
    const { messagesKept, messageCount } = this.#traces[ordinal]!;
    let end = messagesKept + messageCount;
    const messages = Array.from<string>({ length: end });
    for (let at = ordinal; end > 0; at = this.#traces[at]!.messagesParent) {
      const trace = this.#traces[at]!;
      for (let index = trace.messagesKept; index < end; index += 1) {
        messages[index] = trace.text(index - trace.messagesKept);
      }
      end = Math.min(end, trace.messagesKept);
    }
    return messages;
  }
}

/** Where the text of the tools is among those of the trace that holds it. */
function toolsPlace({ messageCount }: StoredTrace): number {
  return messageCount + 1;
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
  const first = from - stored.messagesKept;
  const differing = texts.findIndex((text, index) => !stored.isText(first + index, text));
  return differing === -1 ? texts.length : differing;
}
