import { readJsonLines } from '@art/ground';
import { readSampleRecord, type SampleRecord } from '@art/trajectories';
import { runPath } from './run-folder.ts';

/** Line of `samples.jsonl`, and its place. */
export interface ReadSample {
  record: SampleRecord;
  /** Where a later look begins. */
  endByte: number;
}

/**
 * The samples of a run in the order in which they were recorded, also while it continues. Lines that are no samples are passed over.
 * @param fromByte `endByte` of the last sample that is known @default 0
 * @throws ArtError `ART_RECORD_TOO_NEW`
 */
export async function* readSamples(
  folder: string,
  fromByte = 0,
  onTorn?: (bytes: number) => void,
): AsyncGenerator<ReadSample, void, undefined> {
  for await (const { value, endByte } of readJsonLines(runPath(folder, 'samples'), fromByte, onTorn)) {
    const record = readSampleRecord(value);
    if (record !== undefined) yield { record, endByte };
  }
}
