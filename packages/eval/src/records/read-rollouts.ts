import type { RecordedRollout } from '@art/trajectories';
import { readSamples } from './read-samples.ts';
import type { SampleRecord } from './sample-record.ts';
import { readTranscript } from './transcript-record.ts';

/**
 * The samples of a run with what they said, those of a task after one another. What a sample said is undefined where nobody saw it.
 * Only one transcript is in memory at a time.
 * @throws ArtError `ART_INVALID_OPTION` where a transcript that a sample names cannot be read
 */
export async function* readRollouts(
  folder: string,
): AsyncGenerator<RecordedRollout & { sample: SampleRecord }, void, undefined> {
  const latest = new Map<string, SampleRecord>();
  for await (const { record } of readSamples(folder)) latest.set(record.id, record);
  const byTask = Map.groupBy(latest.values(), ({ taskId }) => taskId);
  for (const sample of [...byTask.values()].flat()) {
    const { id, taskId, outcome, reward, sessionId, modelCalls, transcript } = sample;
    const said = transcript === null ? undefined : await readTranscript(folder, transcript);
    yield {
      id,
      inputId: taskId,
      outcome,
      reward,
      sessionId,
      conversation: modelCalls === null ? undefined : said,
      sample,
    };
  }
}
