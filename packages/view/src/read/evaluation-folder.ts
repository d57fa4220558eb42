import { readFile } from 'node:fs/promises';
import {
  readRunRecord,
  readSamples,
  readStatus,
  readTranscript,
  runPath,
  type RunRecord,
  type SampleRecord,
  type StatusRecord,
} from '@art/eval/records';
import { isJsonObject, type JsonObject } from '@art/protocol';
import { basename } from 'node:path';
import type { EvaluationInfo } from '../report/run-info.ts';
import type { SampleDetail } from '../report/sample-detail.ts';
import type { SampleRow } from '../report/sample-row.ts';
import { sampleRowOf } from './sample-row-of.ts';
import { wellFormedSample, wellFormedTranscript } from './well-formed.ts';

/** A status that says "running" and is older than this is of a process that died. */
const staleMs = 10_000;

/** The folder of an evaluation, read while it grows. Of samples only their rows and places are kept. */
export class EvaluationFolder {
  readonly kind = 'evaluation';
  readonly folder: string;
  readonly #now: () => number;
  #run: RunRecord;
  #status: StatusRecord | undefined;
  #results: JsonObject | null = null;
  // What was read, in its order: rows that replace an earlier one of the same sample come again.
  readonly #rows: SampleRow[] = [];
  readonly #positions = new Map<string, number>();
  // First byte of each sample's line that counts, by position.
  readonly #startBytes: number[] = [];
  #nextByte = 0;
  #hasReadAll = false;

  private constructor(folder: string, run: RunRecord, now: () => number) {
    this.folder = folder;
    this.#run = run;
    this.#now = now;
  }

  static async open(folder: string, now: () => number): Promise<EvaluationFolder> {
    return new EvaluationFolder(folder, await readRunRecord(folder), now);
  }

  /** Reads what has been written since the last time. */
  async refresh(): Promise<void> {
    // The status first: what it counts as done is in the samples already.
    this.#status = await readStatus(this.folder);
    this.#run = await readRunRecord(this.folder);
    for await (const { record, endByte } of readSamples(this.folder, this.#nextByte)) {
      const id = `${record.taskId}#${record.sample}`;
      const at = this.#positions.get(id) ?? this.#positions.size;
      this.#positions.set(id, at);
      this.#startBytes[at] = this.#nextByte;
      this.#rows.push(sampleRowOf(wellFormedSample(record), at));
      this.#nextByte = endByte;
    }
    this.#results = await readResults(this.folder);
    this.#hasReadAll = true;
  }

  info(): EvaluationInfo {
    return {
      kind: 'evaluation',
      folder: this.folder,
      title: this.#run.name ?? basename(this.folder),
      read: this.#rows.length,
      isLive: !this.#hasReadAll || this.#isBeingWritten(),
      run: this.#run,
      status: this.#status ?? null,
      results: this.#results,
    };
  }

  rows(from: number, most: number): readonly SampleRow[] {
    return this.#rows.slice(from, from + most);
  }

  /** How many samples there are, replaced ones counted once. */
  get size(): number {
    return this.#startBytes.length;
  }

  /** Undefined where there is no such sample. */
  async detail(at: number): Promise<SampleDetail | undefined> {
    const startByte = this.#startBytes[at];
    if (startByte === undefined) return undefined;
    for await (const { record } of readSamples(this.folder, startByte)) return this.#detailOf(record);
    return undefined;
  }

  /** All of them by position. The file is read once; only lines that took the place of earlier ones are looked up apart. */
  async *details(): AsyncGenerator<SampleDetail, void, undefined> {
    const places = new Map(this.#startBytes.map((startByte, at) => [startByte, at]));
    let next = 0;
    let startByte = 0;
    for await (const { record, endByte } of readSamples(this.folder)) {
      const at = places.get(startByte);
      startByte = endByte;
      if (at === undefined) continue;
      for (; next < at; next += 1) yield* this.#detailApart(next);
      if (at === next) {
        next += 1;
        yield await this.#detailOf(record);
      }
    }
    for (; next < this.size; next += 1) yield* this.#detailApart(next);
  }

  async *#detailApart(at: number): AsyncGenerator<SampleDetail, void, undefined> {
    const detail = await this.detail(at);
    if (detail !== undefined) yield detail;
  }

  async #detailOf(written: SampleRecord): Promise<SampleDetail> {
    const record = wellFormedSample(written);
    const found = { record, transcript: null, transcriptProblem: null };
    if (record.transcript === null) return found;
    try {
      const transcript = await readTranscript(this.folder, record.transcript);
      return { ...found, transcript: wellFormedTranscript(transcript) };
    } catch (error) {
      return { ...found, transcriptProblem: (error as Error).message };
    }
  }

  #isBeingWritten(): boolean {
    if (this.#status === undefined) return false;
    const { state, updatedAtMs } = this.#status;
    return state !== 'finished' && state !== 'interrupted' && this.#now() - updatedAtMs <= staleMs;
  }
}

async function readResults(folder: string): Promise<JsonObject | null> {
  try {
    const value: unknown = JSON.parse(await readFile(runPath(folder, 'results'), 'utf8'));
    return isJsonObject(value) ? (value as JsonObject) : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
