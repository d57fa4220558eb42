import { hash } from 'node:crypto';

import { canonicalMessage } from '@art/trajectories';

/** Digests by which a message is known again. */
export interface MessageKey {
  /** Of its very bytes. */
  raw: string;
  /** Of its canonical form, which is the same however a client spells it. */
  canonical: string;
}

export function messageKey(raw: string): MessageKey {
  return { raw: digest(raw), canonical: replyKey(raw) };
}

/** The canonical digest alone: an answer is never sent back byte for byte. */
export function replyKey(raw: string): string {
  // Two images are never the same prompt.
  return digest(canonicalMessage(raw, { minds: 'words', media: 'counted' }).text);
}

/** Digests of a request's messages; the canonical ones only where they are asked for, since they cost a parse. */
export class MessageKeys {
  readonly #messages: readonly string[];
  readonly #raw: (string | undefined)[] = [];
  readonly #canonical: (string | undefined)[] = [];

  constructor(messages: readonly string[]) {
    this.#messages = messages;
  }

  matchAll(keys: readonly MessageKey[], from: number): boolean {
    if (from + keys.length > this.#messages.length) return false;
    return keys.every(
      (key, index) =>
        key.raw === this.#rawAt(from + index) || key.canonical === this.canonicalAt(from + index),
    );
  }

  canonicalAt(index: number): string {
    return (this.#canonical[index] ??= replyKey(this.#messages[index] ?? ''));
  }

  #rawAt(index: number): string {
    return (this.#raw[index] ??= digest(this.#messages[index] ?? ''));
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'base64');
}
