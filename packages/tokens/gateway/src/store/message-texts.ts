import { hash } from 'node:crypto';
import { canonicalMessage } from '@art/trajectories';

/** Digests of messages, equal for every spelling of a message. Each is computed once, when it is first asked for. */
export class MessageTexts {
  readonly #read: (index: number) => string;
  readonly #digests: string[] = [];

  /** @param read a message's JSON text */
  constructor(read: (index: number) => string) {
    this.#read = read;
  }

  /** Equal for messages that say the same. Different images are different prompts; the reasoning may be left out. */
  canonical(index: number): string {
    return (this.#digests[index] ??= hash(
      'sha256',
      canonicalMessage(this.#read(index), { compare: 'content', media: 'counted' }).text,
      'base64',
    ));
  }
}
