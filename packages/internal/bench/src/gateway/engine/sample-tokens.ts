import { randomLcg } from 'd3-random';

const count = 131_072;
const logprobEntries = 8_192;
// All ids have six digits, so that a range of ids is a range of bytes.
const firstId = 100_000;
const idsInUse = 51_643;
const bytesPerId = 7;

/** Token ids and logprobs that are rendered once and handed out as slices. The same in every process. */
export class SampleTokens {
  readonly #ids = new Int32Array(count);
  readonly #idsJson: Buffer;
  readonly #logprobsJson: Buffer;
  readonly #logprobOffsets = new Int32Array(logprobEntries + 1);

  constructor() {
    const random = randomLcg(0x1d5);
    for (let index = 0; index < count; index += 1)
      this.#ids[index] = firstId + Math.floor(random() * idsInUse);
    this.#idsJson = Buffer.from(`${this.#ids.join(',')},`, 'latin1');
    const entries = Array.from({ length: logprobEntries }, () => {
      const token = ` t${Math.floor(random() * 46_656).toString(36)}`;
      const logprob = Math.fround(Math.log(1 - random() * 0.999));
      return `${JSON.stringify({ token, logprob, bytes: [...Buffer.from(token)], top_logprobs: [] })},`;
    });
    this.#logprobsJson = Buffer.from(entries.join(''), 'latin1');
    for (const [index, entry] of entries.entries())
      this.#logprobOffsets[index + 1] = this.#logprobOffsets[index]! + entry.length;
  }

  /** Where in the tokens a conversation begins that may grow to so many. */
  startOf(conversation: number, tokens: number): number {
    return (conversation * 7_919) % (count - tokens);
  }

  ids(start: number, length: number): Int32Array {
    return this.#ids.subarray(start, start + length);
  }

  /** The ids as the inside of a JSON array. */
  idsJson(start: number, length: number): Buffer {
    return this.#idsJson.subarray(start * bytesPerId, (start + length) * bytesPerId - 1);
  }

  /** Entries of `logprobs.content` as the inside of a JSON array. */
  logprobsJson(start: number, length: number): Buffer {
    const first = start % (logprobEntries - length);
    return this.#logprobsJson.subarray(
      this.#logprobOffsets[first],
      this.#logprobOffsets[first + length]! - 1,
    );
  }
}
