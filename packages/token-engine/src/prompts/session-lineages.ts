import { MessageKeys, messageKey, replyKey, type MessageKey } from './message-keys.ts';

/** What a turn left behind: enough to continue it from its tokens. */
export interface Lineage {
  /** The prompt of the turn. */
  readonly prompt: Int32Array;
  readonly completion: Int32Array;
  /** Whether it ended with a token of the model's own. */
  readonly isClosed: boolean;
}

/** How a request relates to the turns that its session has had. */
export type LineageMatch =
  | { kind: 'new' }
  /** The very request of an earlier turn once more: a client that tries again. */
  | { kind: 'resend'; lineage: Lineage }
  /** An earlier request, the answer that was sampled, and more. */
  | {
      kind: 'continues';
      lineage: Lineage;
      newMessages: readonly string[];
      /** The assistant's turn as the client sends it back. */
      echo: string;
    };

export interface SessionLineagesOptions {
  /** Branches that a session may have, such as its sub-agents; the least recently used one goes first. @default 64 */
  maxLineages?: number;
  /** @default 10_000 */
  maxSessions?: number;
  /** Token ids over all sessions, four bytes each; the least recently used session goes first. @default 64_000_000 */
  maxTokens?: number;
}

interface Turn extends Lineage {
  scope: string;
  parent: Turn | undefined;
  children: Set<Turn>;
  /** The request's messages after those of the parent and its answer. */
  messages: readonly MessageKey[];
  /** The answer in canonical form. */
  reply: string;
  /** What the prompt has beyond the parent's tokens: a chain of turns holds each token once. */
  suffix: Int32Array;
  completion: Int32Array;
  usedAt: number;
}

interface Session {
  roots: Set<Turn>;
  leaves: Set<Turn>;
  tokens: number;
}

/**
 * The turns of each session as a tree, found again by what a request's messages say, so that the next prompt can begin with
 * the very tokens that were sampled. Holds digests of messages, not their texts.
 */
export class SessionLineages {
  readonly #limits: Required<SessionLineagesOptions>;
  readonly #sessions = new Map<string, Session>();
  #tokens = 0;
  #clock = 0;

  constructor(options: SessionLineagesOptions = {}) {
    this.#limits = { maxLineages: 64, maxSessions: 10_000, maxTokens: 64_000_000, ...options };
  }

  /** @param scope what has to be the same besides the messages, such as the tools */
  find(sessionId: string, scope: string, messages: readonly string[]): LineageMatch {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return { kind: 'new' };
    const keys = new MessageKeys(messages);
    const found: { best?: { turn: Turn; next: number }; resend?: Turn } = {};
    // The first ones last, as the last one is looked at next. Not by recursion: an agent may take thousands of turns.
    const ahead = Array.from(session.roots, (turn) => ({ turn, from: 0 })).toReversed();
    for (let looked = ahead.pop(); looked !== undefined; looked = ahead.pop()) {
      const { turn, from } = looked;
      if (turn.scope !== scope || !keys.matchAll(turn.messages, from)) continue;
      const next = from + turn.messages.length;
      if (next === messages.length) found.resend = turn;
      if (next >= messages.length || keys.canonicalAt(next) !== turn.reply) continue;
      // Of answers that read the same, the one that came last.
      if (found.best === undefined || next >= found.best.next) found.best = { turn, next };
      ahead.push(...Array.from(turn.children, (child) => ({ turn: child, from: next + 1 })).toReversed());
    }
    this.#touch(sessionId, session);
    const { best, resend } = found;
    if (resend !== undefined) {
      resend.usedAt = this.#tick();
      return { kind: 'resend', lineage: resend };
    }
    if (best === undefined) return { kind: 'new' };
    best.turn.usedAt = this.#tick();
    return {
      kind: 'continues',
      lineage: best.turn,
      newMessages: messages.slice(best.next + 1),
      echo: messages[best.next] ?? '',
    };
  }

  /**
   * Keeps a turn for what may follow it.
   * @param match what `find` said of its request; its prompt begins with the tokens of a lineage that it continues
   */
  record(
    sessionId: string,
    scope: string,
    match: LineageMatch,
    turn: Lineage & { messages: readonly string[]; reply: string },
  ): void {
    const session = this.#session(sessionId);
    const before = match.kind === 'new' ? undefined : (match.lineage as Turn);
    const parent = match.kind === 'resend' ? before?.parent : before;
    const isContinuation = match.kind === 'continues';
    const known = parent === undefined ? 0 : parent.prompt.length + parent.completion.length;
    const own = isContinuation ? match.newMessages : turn.messages;
    const kept: Turn = {
      scope,
      parent,
      children: new Set(),
      messages: match.kind === 'resend' && before !== undefined ? before.messages : own.map(messageKey),
      reply: replyKey(turn.reply),
      suffix: turn.prompt.slice(known),
      completion: turn.completion,
      isClosed: turn.isClosed,
      usedAt: this.#tick(),
      get prompt() {
        return promptOf(this);
      },
    };
    (parent?.children ?? session.roots).add(kept);
    if (parent !== undefined) session.leaves.delete(parent);
    session.leaves.add(kept);
    this.#count(session, kept.suffix.length + kept.completion.length);
    this.#trim(sessionId, session);
  }

  /** Lets go of a session that has ended. */
  forget(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    this.#tokens -= session.tokens;
  }

  /** Token ids that are held, over all sessions. */
  get tokens(): number {
    return this.#tokens;
  }

  #session(sessionId: string): Session {
    const session = this.#sessions.get(sessionId) ?? { roots: new Set(), leaves: new Set(), tokens: 0 };
    this.#touch(sessionId, session);
    return session;
  }

  #touch(sessionId: string, session: Session): void {
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
  }

  #trim(sessionId: string, session: Session): void {
    while (session.leaves.size > this.#limits.maxLineages) this.#prune(session);
    for (const other of this.#sessions.keys()) {
      const isOver = this.#sessions.size > this.#limits.maxSessions || this.#tokens > this.#limits.maxTokens;
      if (!isOver || other === sessionId) break;
      this.forget(other);
    }
  }

  // The branch goes up to where another one leaves it.
  #prune(session: Session): void {
    let oldest: Turn | undefined;
    for (const leaf of session.leaves) {
      if (oldest === undefined || leaf.usedAt < oldest.usedAt) oldest = leaf;
    }
    let turn = oldest;
    if (turn !== undefined) session.leaves.delete(turn);
    while (turn !== undefined && turn.children.size === 0) {
      (turn.parent?.children ?? session.roots).delete(turn);
      this.#count(session, -(turn.suffix.length + turn.completion.length));
      turn = turn.parent;
    }
  }

  #count(session: Session, tokens: number): void {
    session.tokens += tokens;
    this.#tokens += tokens;
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }
}

function promptOf(turn: Turn): Int32Array {
  // The last one first.
  const parts: Int32Array[] = [turn.suffix];
  for (let above = turn.parent; above !== undefined; above = above.parent) {
    parts.push(above.completion, above.suffix);
  }
  return joined(parts.toReversed());
}

/** Lists of tokens as one. */
export function joined(parts: readonly Int32Array[]): Int32Array {
  const ids = new Int32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    ids.set(part, at);
    at += part.length;
  }
  return ids;
}
