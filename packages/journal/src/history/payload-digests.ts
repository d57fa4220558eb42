import { hash } from 'node:crypto';
import { ArtError, stringifyJson } from '@art/protocol';
import type { PayloadsRecord } from '../records/journal-record.ts';

/** Of one digest. 96 bits: two different payloads of a run never share one. */
const digestLength = 16;
const perRecord = 1_000;
// A long list is worked through in portions, so that nothing else in the process has to wait for it.
const perTurn = 500;
// What cannot be written as JSON is refused anew in every life, whatever it is.
const unwritable = '-'.repeat(digestLength);

/** Tells whether a payload is the same as before, without keeping it. */
export function payloadDigest(payload: unknown): string {
  let text: string;
  try {
    text = stringifyJson(payload);
  } catch (error) {
    if (ArtError.isInstance(error)) return unwritable;
    throw error;
  }
  return hash('sha256', text, 'base64url').slice(0, digestLength);
}

/** Digests of payloads whose number is known. */
export class PayloadDigests {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  static async of(payloads: readonly unknown[], signal?: AbortSignal): Promise<PayloadDigests> {
    const digests: string[] = [];
    for (let from = 0; from < payloads.length; from += perTurn) {
      signal?.throwIfAborted();
      digests.push(...payloads.slice(from, from + perTurn).map(payloadDigest));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return new PayloadDigests(digests.join(''));
  }

  get count(): number {
    return this.#text.length / digestLength;
  }

  at(index: number): string {
    return this.#text.slice(index * digestLength, (index + 1) * digestLength);
  }

  *toRecords(): Generator<PayloadsRecord> {
    for (let from = 0; from < this.count; from += perRecord) {
      const digests = this.#text.slice(from * digestLength, (from + perRecord) * digestLength);
      yield { type: 'payloads', from, digests };
    }
  }
}
