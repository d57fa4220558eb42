import type { TextBytes } from '../../capture/new-trace.ts';
import { isEqualText } from './equal-text.ts';
import type { PackedIds } from './packed-ids.ts';
import type { LogprobWidth } from './packed-logprobs.ts';

/**
 * A trace as it is kept: what it shares with an earlier trace of its session is not repeated. Everything lies in one
 * buffer, which is at the same time its record on disk; this object says where in the buffer.
 *
 * A trace's tokens are its prompt and then its completion, its texts are its messages and then its response. The first
 * `kept` of them are those of the parent.
 */
export interface StoredTrace {
  readonly bytes: Buffer;
  /** Ordinal of the trace in the session whose tokens this one begins with; -1 for none. */
  readonly promptParent: number;
  readonly promptKept: number;
  readonly promptSuffix: PackedIds;
  readonly completion: PackedIds;
  /** Undefined where the engine gave none. */
  readonly logprobs:
    | { readonly offset: number; readonly count: number; readonly width: LogprobWidth }
    | undefined;
  readonly messagesParent: number;
  readonly messagesKept: number;
  /** How many of the texts are messages; the response is the one behind them. */
  readonly messageCount: number;
  /** Ordinal of the trace that holds the text of the tools, which may be this one; -1 for none. */
  readonly toolsAt: number;
  /** Where each text begins, and behind the last of them where it ends. */
  readonly textOffsets: Int32Array;
  /** Where the JSON of all other fields is. */
  readonly headerStart: number;
  readonly headerEnd: number;
}

/** How many tokens a child may keep of it. */
export function tokenCount(trace: StoredTrace): number {
  return trace.promptKept + trace.promptSuffix.count + trace.completion.count;
}

/** How many texts, the response among them, a child may keep of it. */
export function textCount(trace: StoredTrace): number {
  return trace.messagesKept + trace.messageCount + 1;
}

/** A text of a trace by its place among its own ones: messages, response, tools, and what the header lists. */
export function textAt(trace: StoredTrace, index: number): string {
  return trace.bytes.toString('utf8', trace.textOffsets[index], trace.textOffsets[index + 1]);
}

/** Whether that text is this one. */
export function isTextAt(trace: StoredTrace, index: number, text: TextBytes): boolean {
  return isEqualText(trace.bytes, trace.textOffsets[index]!, trace.textOffsets[index + 1]!, text);
}
