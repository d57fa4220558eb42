import type { LinePlace } from '@art/ground';
import type { ReadSample } from '@art/eval/records';
import type { SampleRow } from '../report/sample-row.ts';
import { sampleRowOf } from './sample-row-of.ts';

/** The samples of a file that grows: of two lines about one sample the later one counts. Only rows and places are kept. */
export class SampleLines<Read extends ReadSample = ReadSample> {
  readonly #readFrom: (startByte: number) => AsyncIterable<Read>;
  // What was read, in its order: rows that replace an earlier one of the same sample come again.
  readonly #rows: SampleRow[] = [];
  readonly #positions = new Map<string, number>();
  // Each sample's line that counts, by position, with lines before it that are none.
  readonly #places: LinePlace[] = [];
  #nextByte = 0;

  constructor(readFrom: (startByte: number) => AsyncIterable<Read>) {
    this.#readFrom = readFrom;
  }

  /** Reads what has been written since the last time. @param onLine called with each line and the position of its sample */
  async refresh(onLine?: (read: Read, at: number) => void): Promise<void> {
    for await (const read of this.#readFrom(this.#nextByte)) {
      const id = `${read.record.taskId}#${read.record.sample}`;
      const at = this.#positions.get(id) ?? this.#positions.size;
      this.#positions.set(id, at);
      this.#places[at] = { atByte: this.#nextByte, bytes: read.endByte - this.#nextByte };
      this.#rows.push(sampleRowOf(read.record, at));
      this.#nextByte = read.endByte;
      onLine?.(read, at);
    }
  }

  /** How many rows were read. */
  get count(): number {
    return this.#rows.length;
  }

  rows(from: number, most: number): readonly SampleRow[] {
    return this.#rows.slice(from, from + most);
  }

  /** How many samples there are, replaced ones counted once. */
  get size(): number {
    return this.#places.length;
  }

  /** @param id `{taskId}#{sample}` */
  positionOf(id: string): number | undefined {
    return this.#positions.get(id);
  }

  /** Its line; undefined where there is no such sample. */
  placeOf(at: number): LinePlace | undefined {
    return this.#places[at];
  }

  /** Undefined where there is no such sample. */
  async find(at: number): Promise<Read | undefined> {
    const place = this.#places[at];
    if (place === undefined) return undefined;
    for await (const read of this.#readFrom(place.atByte)) return read;
    return undefined;
  }

  /** All of them by position. The file is read once; only lines that took the place of earlier ones are looked up apart. */
  async *all(): AsyncGenerator<Read, void, undefined> {
    const places = new Map(this.#places.map(({ atByte }, at) => [atByte, at]));
    let next = 0;
    let startByte = 0;
    for await (const read of this.#readFrom(0)) {
      const at = places.get(startByte);
      startByte = read.endByte;
      if (at === undefined) continue;
      for (; next < at; next += 1) yield* this.#apart(next);
      if (at === next) {
        next += 1;
        yield read;
      }
    }
    for (; next < this.size; next += 1) yield* this.#apart(next);
  }

  async *#apart(at: number): AsyncGenerator<Read, void, undefined> {
    const read = await this.find(at);
    if (read !== undefined) yield read;
  }
}
