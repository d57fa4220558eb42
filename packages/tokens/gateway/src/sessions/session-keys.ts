import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const prefix = 'sk-art-';

/** A key's statement of its bearer. */
export type SessionKeyReading = { kind: 'none' } | { kind: 'forged' } | { kind: 'valid'; sessionId: string };

/**
 * Keys that an agent sends as its API key, and that name its session: `sk-art-{session id}.{signature}`. They are derived,
 * not stored, so every process that has the secret can read them.
 */
export class SessionKeys {
  readonly #secret: Buffer | string;

  /** @param secret signs the keys; without one, keys end with the process */
  constructor(secret: string | undefined) {
    this.#secret = secret ?? randomBytes(32);
  }

  keyOf(sessionId: string): string {
    const name = Buffer.from(sessionId).toString('base64url');
    return `${prefix}${name}.${this.#sign(name)}`;
  }

  read(key: string): SessionKeyReading {
    if (!key.startsWith(prefix)) return { kind: 'none' };
    const [name = '', signature = ''] = key.slice(prefix.length).split('.');
    const expected = Buffer.from(this.#sign(name));
    const got = Buffer.from(signature);
    if (expected.length !== got.length || !timingSafeEqual(expected, got)) return { kind: 'forged' };
    return { kind: 'valid', sessionId: Buffer.from(name, 'base64url').toString() };
  }

  #sign(name: string): string {
    return createHmac('sha256', this.#secret).update(name).digest('base64url');
  }
}
