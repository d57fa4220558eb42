import { readJsonLines } from '@art/ground';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ReadSample, TranscriptRecord } from '@art/eval/records';
import { readRolloutRecord, readSampleRecord, RolloutNames } from '@art/trajectories';
import type { EvaluationInfo } from '../report/run-info.ts';
import type { Said } from '../report/said.ts';
import type { SampleDetail } from '../report/sample-detail.ts';
import type { SampleRow } from '../report/sample-row.ts';
import type { RunHealthReport } from '../report/run-health.ts';
import { readHealth } from './read-health.ts';
import { saidIn } from './said-in.ts';
import { SampleLines } from './sample-lines.ts';
import { wellFormedTranscript } from './well-formed-transcript.ts';

/** A file that nobody touched for this time is taken as finished. */
const quietMs = 60_000;

interface ReadItem extends ReadSample {
  transcript: TranscriptRecord;
}

/** The rollouts that `art invoke --out` wrote, shown as the samples of an evaluation. */
export class ItemsFile {
  readonly kind = 'evaluation';
  readonly folder: string;
  readonly #now: () => number;
  readonly #lines: SampleLines<ReadItem>;
  readonly #names = new RolloutNames();
  #hasReadAll = false;
  #times = { createdAtMs: 0, writtenAtMs: 0 };

  constructor(file: string, now: () => number) {
    this.folder = file;
    this.#now = now;
    this.#lines = new SampleLines((startByte) => this.#read(startByte));
  }

  async refresh(): Promise<void> {
    const { birthtimeMs, mtimeMs } = await stat(this.folder);
    this.#times = { createdAtMs: birthtimeMs, writtenAtMs: mtimeMs };
    await this.#lines.refresh();
    this.#hasReadAll = true;
  }

  info(): EvaluationInfo {
    return {
      kind: 'evaluation',
      folder: this.folder,
      title: basename(this.folder),
      read: this.#lines.count,
      isLive: !this.#hasReadAll || this.#now() - this.#times.writtenAtMs <= quietMs,
      agent: 'art invoke',
      begunAtMs: this.#times.createdAtMs,
      run: null,
      status: null,
      results: null,
      end: null,
    };
  }

  rows(from: number, most: number): readonly SampleRow[] {
    return this.#lines.rows(from, most);
  }

  get size(): number {
    return this.#lines.size;
  }

  health(): Promise<RunHealthReport | null> {
    return readHealth(this.folder, 'evaluation', (id) => this.#lines.positionOf(`${id}#0`));
  }

  async detail(at: number): Promise<SampleDetail | undefined> {
    const read = await this.#lines.find(at);
    return read && detailOf(read);
  }

  async *details(): AsyncGenerator<SampleDetail, void, undefined> {
    for await (const read of this.#lines.all()) yield detailOf(read);
  }

  said(text: string, from: number, signal: AbortSignal): Promise<Said> {
    const source = {
      path: this.folder,
      size: this.size,
      placeOf: (at: number) => this.#lines.placeOf(at) ?? null,
      transcriptOf: transcriptIn,
    };
    return saidIn(source, text, from, signal);
  }

  async *#read(startByte: number): AsyncGenerator<ReadItem, void, undefined> {
    for await (const { value, endByte } of readJsonLines(this.folder, startByte)) {
      const record = readSampleRecord(value, this.#names);
      const transcript = record && transcriptIn(value);
      if (transcript) yield { record, transcript, endByte };
    }
  }
}

function detailOf({ record, transcript }: ReadItem): SampleDetail {
  return { record, transcript, transcriptProblem: null, annotation: null };
}

/** The transcript of a rollout, which stands in its line. */
function transcriptIn(value: unknown): TranscriptRecord | null {
  const record = readRolloutRecord(value);
  if (record === undefined) return null;
  const { id, sessionId, document = null, conversation = { messages: [], calls: [] } } = record;
  return wellFormedTranscript({
    schema: 'art.transcript.v1',
    taskId: id,
    sample: 0,
    sessionId,
    payload: {},
    expected: null,
    document,
    ...conversation,
    rows: [],
    log: null,
  });
}
