import type { Trace } from '@art/trajectories';
import type { NewTrace } from '../capture/new-trace.ts';
import { longestPrefix, type PrefixMatch } from './codec/longest-prefix.ts';
import { commonIds } from './codec/packed-ids.ts';
import { isTextAt, textCount, tokenCount, type StoredTrace } from './codec/stored-trace.ts';
import { decodeTrace, encodeTrace } from './codec/trace-codec.ts';
import { writeTraceHeader } from './codec/trace-header.ts';
import { readTrace } from './read-trace.ts';

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
