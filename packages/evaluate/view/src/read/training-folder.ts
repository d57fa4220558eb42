import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readJsonLines } from '@art/ground';
import { isJsonObject } from '@art/ground';
import type { RunHealthReport } from '../report/run-health.ts';
import type { TrainingInfo, ShownTrainingStep } from '../report/run-info.ts';
import { readHealth } from './read-health.ts';

/** Steps take long; a file that nobody touched for this time is taken as finished. */
const quietMs = 10 * 60_000;

/** The folder of a training run, read while it grows. */
export class TrainingFolder {
  readonly kind = 'training';
  readonly folder: string;
  readonly #file: string;
  readonly #now: () => number;
  readonly #steps: ShownTrainingStep[] = [];
  #nextByte = 0;
  #hasReadAll = false;
  #writtenAtMs = 0;

  constructor({ folder, steps }: { folder: string; steps: string }, now: () => number) {
    this.folder = folder;
    this.#file = steps;
    this.#now = now;
  }

  async refresh(): Promise<void> {
    this.#writtenAtMs = (await stat(this.#file)).mtimeMs;
    for await (const { value, endByte } of readJsonLines(this.#file, this.#nextByte)) {
      if (isJsonObject(value)) this.#steps.push(value as ShownTrainingStep);
      this.#nextByte = endByte;
    }
    this.#hasReadAll = true;
  }

  info(): TrainingInfo {
    // The last step of a run that ended in good order says why.
    const hasEnded = isJsonObject(this.#steps.at(-1)?.['end']);
    return {
      kind: 'training',
      folder: this.folder,
      title: basename(this.folder),
      read: this.#steps.length,
      isLive: !this.#hasReadAll || (!hasEnded && this.#now() - this.#writtenAtMs <= quietMs),
    };
  }

  health(): Promise<RunHealthReport | null> {
    return readHealth(this.folder, 'training');
  }

  steps(from: number, most: number): readonly ShownTrainingStep[] {
    return this.#steps.slice(from, from + most);
  }
}
