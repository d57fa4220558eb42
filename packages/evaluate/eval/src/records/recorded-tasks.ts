import { readSamples } from './read-samples.ts';
import type { LinePlace } from '@art/ground';
import { readTranscript } from './transcript-record.ts';

/** Task as its agent and its judge got it. */
export interface RecordedTask {
  payload: unknown;
  /** Null where the task says nothing. */
  expected: unknown;
}

/** The tasks that a run has samples of, as its transcripts have them. */
export class RecordedTasks {
  readonly #folder: string;
  readonly #places: ReadonlyMap<string, LinePlace | null>;

  private constructor(folder: string, places: ReadonlyMap<string, LinePlace | null>) {
    this.#folder = folder;
    this.#places = places;
  }

  static async open(folder: string): Promise<RecordedTasks> {
    const places = new Map<string, LinePlace | null>();
    for await (const { record } of readSamples(folder))
      places.set(record.taskId, places.get(record.taskId) ?? record.transcript);
    return new RecordedTasks(folder, places);
  }

  get ids(): IterableIterator<string> {
    return this.#places.keys();
  }

  /** Undefined where it has no transcript. @throws ArtError `ART_INVALID_OPTION` where the transcript cannot be read */
  async read(taskId: string): Promise<RecordedTask | undefined> {
    const place = this.#places.get(taskId);
    if (place === undefined || place === null) return undefined;
    const { payload, expected } = await readTranscript(this.#folder, place);
    return { payload, expected };
  }
}
