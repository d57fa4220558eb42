import { PrefixTree, type Capture } from '@art/trajectories';
import { storeCapture, type StoredCapture } from './stored-capture.ts';
import { MessageTexts } from './message-texts.ts';
import type { NewCapture, PromptMessages, TextBytes, TurnBefore } from './capture-store.ts';

// Agents that work in turns under one session have different tools each; there are rarely more than a few.
const toolsLookback = 16;

/** The captures of one session, each as what it adds to an earlier one. Reading gives back exactly what was added. */
export class SessionCaptures {
  readonly #captures: StoredCapture[] = [];
  /** The tokens of each capture, prompt and answer. */
  #tokens = new PrefixTree();
  /** The texts of each capture, messages and response. */
  #texts = new PrefixTree();
  /** Texts of the captures, where they were asked for. */
  readonly #said: MessageTexts[] = [];
  #bytes = 0;

  get count(): number {
    return this.#captures.length;
  }

  /** Size of the captures, without the few hundred bytes of objects around each of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a capture behind the others; its bytes, from which `load` makes it again. */
  add(capture: NewCapture, storedAtMs: number): Buffer {
    const { promptTokenIds: ids, messages } = capture;
    const captures = this.#captures;
    const prompt = this.#tokens.follow(this.#tokens.start, ids.length, (owner, from, to) =>
      captures[owner]!.commonTokens(from, to, ids, from),
    );
    const said = this.#texts.follow(this.#texts.start, messages.length, (owner, from, to) =>
      commonTexts(captures[owner]!, from, messages.slice(from, to)),
    );
    const sharing = {
      ordinal: captures.length,
      promptParent: prompt.node.owner,
      promptKept: prompt.depth,
      messagesParent: said.node.owner,
      messagesKept: said.depth,
      toolsAt: this.#toolsAt(capture),
      continuedIn: capture.continuedIn,
    };
    const stored = storeCapture(capture, sharing, storedAtMs);
    this.load(stored);
    return stored.bytes;
  }

  /** Adds a capture as `add` returned it, in the same order. */
  load(stored: StoredCapture): void {
    this.#place(stored);
    this.#captures.push(stored);
    this.#bytes += stored.bytes.byteLength;
  }

  /** Forgets all but the first `count`. */
  truncate(count: number): void {
    for (const { bytes } of this.#captures.splice(count)) this.#bytes -= bytes.byteLength;
    this.#said.length = Math.min(this.#said.length, count);
    this.#tokens = new PrefixTree();
    this.#texts = new PrefixTree();
    for (const stored of this.#captures) this.#place(stored);
  }

  /** Puts a capture together again from what it holds itself and what it keeps of earlier ones. */
  read(ordinal: number): Capture {
    const stored = this.#captures[ordinal]!;
    const { promptEnd, layout } = stored;
    const { messageCount, toolsAt, experts, matrixCount, promptParent } = layout;
    const holder = this.#captures[toolsAt];
    let next = messageCount + (toolsAt === ordinal ? 2 : 1);
    const take = (): string => stored.text(next++);
    return {
      ...stored.fields(),
      messages: this.#messagesOf(ordinal),
      tools: holder?.text(toolsPlace(holder)),
      responseMessage: stored.text(messageCount),
      promptTokenIds: this.#tokensOf(ordinal, promptEnd),
      completionTokenIds: stored.copyTokens(promptEnd, new Int32Array(layout.completionCount)),
      logprobs: stored.logprobs,
      // In the order in which they were written.
      routedExperts: experts && { data: take(), ...experts },
      routingMatrices: matrixCount === undefined ? undefined : Array.from({ length: matrixCount }, take),
      rawRequest: layout.hasRawRequest ? take() : undefined,
      rawResponse: layout.hasRawResponse ? take() : undefined,
      prefix: { captureId: this.#captures[promptParent]?.captureId, kept: layout.promptKept },
    };
  }

  /** See `CaptureStore`. @param count looks only at the first so many captures */
  turnBefore({ messages, scope }: PromptMessages, count: number): TurnBefore | undefined {
    const asked = new MessageTexts((at) => Buffer.from(messages[at]!).toString());
    const isSame = (owner: number, at: number): boolean => {
      const stored = this.#captures[owner]!;
      const index = at - stored.layout.messagesKept;
      if (stored.isText(index, messages[at]!)) return true;
      this.#said[owner] ??= new MessageTexts((text) => stored.text(text));
      return this.#said[owner].canonical(index) === asked.canonical(at);
    };
    // At least one message has to follow.
    const nodes = this.#texts.matching(messages.length - 1, isSame);
    let found: { ordinal: number; messageCount: number } | undefined;
    for (const [ordinal, { layout }] of this.#captures.slice(0, count).entries()) {
      const node = this.#texts.endOf(ordinal);
      const isLonger = found === undefined || node.end >= found.messageCount;
      if (isLonger && layout.continuedIn === scope && nodes.has(node)) {
        found = { ordinal, messageCount: node.end };
      }
    }
    if (found === undefined) return undefined;
    const { ordinal, messageCount } = found;
    return { tokenIds: this.#tokensOf(ordinal, this.#captures[ordinal]!.tokenCount), messageCount };
  }

  /** Puts a capture into the trees, below what it keeps of earlier ones. Its answer can be that of another only where its prompt is. */
  #place(stored: StoredCapture): void {
    const { promptEnd, tokenCount, layout } = stored;
    let tokens = this.#tokens.placeOf(layout.promptParent, layout.promptKept);
    if (layout.promptCount === 0) {
      const ids = stored.copyTokens(promptEnd, new Int32Array(layout.completionCount));
      tokens = this.#tokens.follow(tokens, tokenCount, (owner, from, to) =>
        this.#captures[owner]!.commonTokens(from, to, ids, from - promptEnd),
      );
    }
    this.#tokens.add(tokens, tokenCount);
    const textsEnd = layout.messagesKept + layout.messageCount + 1;
    let texts = this.#texts.placeOf(layout.messagesParent, layout.messagesKept);
    if (layout.messageCount === 0) {
      texts = this.#texts.follow(texts, textsEnd, (owner, from) =>
        commonTexts(this.#captures[owner]!, from, [stored.text(0)]),
      );
    }
    this.#texts.add(texts, textsEnd);
  }

  /** Which capture holds the text of a new one's tools: an earlier one where it is the same, else itself; -1 for none. */
  #toolsAt({ tools }: NewCapture): number {
    if (tools === undefined) return -1;
    const holders = new Set(this.#captures.slice(-toolsLookback).map(({ layout }) => layout.toolsAt));
    holders.delete(-1);
    for (const toolsAt of [...holders].toReversed()) {
      const holder = this.#captures[toolsAt]!;
      if (holder.isText(toolsPlace(holder), tools)) return toolsAt;
    }
    return this.#captures.length;
  }

  /** The first so many tokens of a capture, its prompt and then its answer. */
  #tokensOf(ordinal: number, count: number): Int32Array {
    const ids = new Int32Array(count);
    let end = count;
    // From the end to the beginning: each capture up the chain gives what it holds below `end`.
    for (let at = ordinal; end > 0; at = this.#captures[at]!.layout.promptParent) {
      const capture = this.#captures[at]!;
      const { promptKept } = capture.layout;
      if (end > promptKept) capture.copyTokens(promptKept, ids.subarray(promptKept, end));
      end = Math.min(end, promptKept);
    }
    return ids;
  }

  #messagesOf(ordinal: number): string[] {
    const { messagesKept, messageCount } = this.#captures[ordinal]!.layout;
    let end = messagesKept + messageCount;
    const messages = Array.from<string>({ length: end });
    for (let at = ordinal; end > 0; at = this.#captures[at]!.layout.messagesParent) {
      const capture = this.#captures[at]!;
      const kept = capture.layout.messagesKept;
      for (let index = kept; index < end; index += 1) messages[index] = capture.text(index - kept);
      end = Math.min(end, kept);
    }
    return messages;
  }
}

/** Where the text of the tools is among those of the capture that holds it. */
function toolsPlace({ layout }: StoredCapture): number {
  return layout.messageCount + 1;
}

/** How many of a capture's messages and its response, from `from` on, all of which it holds itself, are these. */
function commonTexts(stored: StoredCapture, from: number, texts: readonly TextBytes[]): number {
  const first = from - stored.layout.messagesKept;
  const differing = texts.findIndex((text, index) => !stored.isText(first + index, text));
  return differing === -1 ? texts.length : differing;
}
