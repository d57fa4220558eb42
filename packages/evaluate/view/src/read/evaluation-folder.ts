import type { SampleRecord } from '@art/trajectories';
import { endTable, type ReportTable } from '@art/eval';
import {
  annotate,
  type Annotation,
  readAnnotations,
  readRunRecord,
  readSamples,
  readStatus,
  readJsonFile,
  readTranscript,
  type ResultsRecord,
  runPath,
  type RunRecord,
  type StatusRecord,
  type TranscriptRecord,
} from '@art/eval/records';
import { isJsonObject, type JsonObject, type LinePlace } from '@art/ground';
import { basename } from 'node:path';
import type { EvaluationInfo } from '../report/run-info.ts';
import type { SampleDetail } from '../report/sample-detail.ts';
import type { Said } from '../report/said.ts';
import type { SampleRow } from '../report/sample-row.ts';
import type { RunHealthReport } from '../report/run-health.ts';
import { readHealth } from './read-health.ts';
import { saidIn } from './said-in.ts';
import { SampleLines } from './sample-lines.ts';
import { wellFormedTranscript } from './well-formed-transcript.ts';

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
  #end: ReportTable | null = null;
  readonly #lines: SampleLines;
  /** Where the transcript of each sample stands, by position. */
  readonly #places: (LinePlace | null)[] = [];
  #hasReadAll = false;
  /** One at a time: a folder is held for each. */
  #annotating: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, run: RunRecord, now: () => number) {
    this.folder = folder;
    this.#run = run;
    this.#now = now;
    this.#lines = new SampleLines((startByte) => readSamples(folder, startByte));
  }

  static async open(folder: string, now: () => number): Promise<EvaluationFolder> {
    return new EvaluationFolder(folder, await readRunRecord(folder), now);
  }

  /** Reads what has been written since the last time. */
  async refresh(): Promise<void> {
    // It is read before the samples and told after them: what it counts as done has been read when somebody sees it. One that says
    // "finished" ends the looking. The first one is told at once, as everything is live until all was read.
    const status = await readStatus(this.folder);
    this.#status ??= status;
    this.#run = await readRunRecord(this.folder);
    await this.#lines.refresh(({ record }, at) => {
      this.#places[at] = record.transcript;
    });
    this.#results = await readResults(this.folder);
    this.#end = endOf(this.#results);
    this.#status = status;
    this.#hasReadAll = true;
  }

  info(): EvaluationInfo {
    return {
      kind: 'evaluation',
      folder: this.folder,
      title: this.#run.name ?? basename(this.folder),
      read: this.#lines.count,
      isLive: !this.#hasReadAll || this.#isBeingWritten(),
      agent: this.#run.agent,
      begunAtMs: this.#run.createdAtMs,
      run: this.#run,
      status: this.#status ?? null,
      results: this.#results,
      end: this.#end,
    };
  }

  rows(from: number, most: number): readonly SampleRow[] {
    return this.#lines.rows(from, most);
  }

  get size(): number {
    return this.#lines.size;
  }

  health(): Promise<RunHealthReport | null> {
    return readHealth(this.folder, 'evaluation', (id) => this.#lines.positionOf(id));
  }

  /** Undefined where there is no such sample. */
  async detail(at: number): Promise<SampleDetail | undefined> {
    const read = await this.#lines.find(at);
    return read && (await this.#detailOf(read.record, await readAnnotations(this.folder)));
  }

  /** All of them by position. */
  async *details(): AsyncGenerator<SampleDetail, void, undefined> {
    const annotations = await readAnnotations(this.folder);
    for await (const { record } of this.#lines.all()) yield await this.#detailOf(record, annotations);
  }

  /** Keeps a person's score of a sample. @throws ArtError as `annotate` does */
  annotate(given: Parameters<typeof annotate>[1]): Promise<Annotation> {
    const annotated = this.#annotating.then(() => annotate(this.folder, given, this.#now()));
    this.#annotating = annotated.catch(() => undefined);
    return annotated;
  }

  /** Samples in whose transcripts a text stands, from a position on; as many as there is time for. */
  said(text: string, from: number, signal: AbortSignal): Promise<Said> {
    const source = {
      path: runPath(this.folder, 'transcripts'),
      size: this.size,
      placeOf: (at: number) => this.#places[at] ?? null,
      transcriptOf: (value: unknown) =>
        isJsonObject(value) ? wellFormedTranscript(value as unknown as TranscriptRecord) : null,
    };
    return saidIn(source, text, from, signal);
  }

  async #detailOf(record: SampleRecord, annotations: ReadonlyMap<string, Annotation>): Promise<SampleDetail> {
    const annotation = annotations.get(record.id) ?? null;
    const found = { record, transcript: null, transcriptProblem: null, annotation };
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

function endOf(results: JsonObject | null): ReportTable | null {
  try {
    return (results && endTable(results as unknown as ResultsRecord)) ?? null;
  } catch {
    // Another version has written them.
    return null;
  }
}

async function readResults(folder: string): Promise<JsonObject | null> {
  const value = await readJsonFile(runPath(folder, 'results'));
  return isJsonObject(value) ? (value as JsonObject) : null;
}
