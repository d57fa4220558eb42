import { isJsonObject } from '@art/ground';
import { readJsonLines } from './json-lines.ts';
import { runPath } from './run-folder.ts';
import type { SampleRecord } from './sample-record.ts';

/** What was read of `samples.jsonl`. */
export interface ReadSample {
  record: SampleRecord;
  /** Where a later look begins. */
  endByte: number;
}

/**
 * The samples of a run in the order in which they were recorded, also while it goes on. Lines that are no samples are passed over.
 * @param fromByte `endByte` of the last sample that is known @default 0
 */
export async function* readSamples(
  folder: string,
  fromByte = 0,
): AsyncGenerator<ReadSample, void, undefined> {
  for await (const { value, endByte } of readJsonLines(runPath(folder, 'samples'), fromByte))
    if (isSample(value)) yield { record: value, endByte };
}

function isSample(value: unknown): value is SampleRecord {
  return (
    isJsonObject(value) &&
    value['schema'] === 'art.sample.v1' &&
    typeof value['taskId'] === 'string' &&
    Number.isSafeInteger(value['sample'])
  );
}
