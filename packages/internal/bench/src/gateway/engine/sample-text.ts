import { randomLcg } from 'd3-random';

const length = 1_048_576;
const vocabulary = 4_096;
const syllables = [
  'ba',
  'de',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  've',
  'wa',
  'xi',
  'yo',
  'zu',
  'sh',
];

/**
 * English-like text in ASCII that needs no escapes in JSON: words of a vocabulary, few of them frequent, most of them
 * rare, so that it compresses about as well as prose. The same in every process.
 */
export class SampleText {
  readonly #text: Buffer;

  constructor() {
    const random = randomLcg(0x7e47);
    const words = Array.from({ length: vocabulary }, () =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * 16)]!).join(
        '',
      ),
    );
    const parts: string[] = [];
    for (let size = 0; size < length; size += parts.at(-1)!.length) {
      // Squared twice: a word's rank and its frequency fall together, roughly as Zipf has it.
      parts.push(`${words[Math.floor(random() ** 4 * vocabulary)]!}${random() < 0.1 ? ', ' : ' '}`);
    }
    this.#text = Buffer.from(parts.join(''), 'latin1');
  }

  /** A piece whose place the number decides. */
  piece(place: number, bytes: number): Buffer {
    const start = (place * 104_729) % (this.#text.length - bytes);
    return this.#text.subarray(start, start + bytes);
  }
}
