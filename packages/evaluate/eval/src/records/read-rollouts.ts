import type { RecordedRollout, SampleRecord } from '@art/trajectories';
import { readSamples } from './read-samples.ts';
import { readTranscript } from './transcript-record.ts';

/**
 * The samples of a run with what they said, those of a task after one another.
 * Only one transcript is in memory at a time.
 * @throws ArtError `ART_INVALID_OPTION` where a transcript that a sample names cannot be read
 */
export async function* readRollouts(
  folder: string,
  onTorn?: (bytes: number) => void,
): AsyncGenerator<RecordedRollout, void, undefined> {
  const latest = new Map<string, SampleRecord>();
  for await (const { record } of readSamples(folder, 0, onTorn)) latest.set(record.id, record);
  const byTask = Map.groupBy(latest.values(), ({ taskId }) => taskId);
  for (const sample of [...byTask.values()].flat()) {
    const said = sample.transcript === null ? undefined : await readTranscript(folder, sample.transcript);
    const isCaptured = sample.modelCalls !== null;
    yield {
      ...sample,
      // All samples of a task had the same input, also those of earlier processes.
      inputId: sample.taskId,
      conversation: isCaptured ? said : undefined,
      rows: isCaptured ? said?.rows : undefined,
      payload: said?.payload,
      document: said?.document,
    };
  }
}
