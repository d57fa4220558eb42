import type { JsonObject } from '@art/ground';
import type { ErrorRecord } from '@art/rollout';
import type { RecordedRollout, TrainingRow } from '@art/trajectories';
import { readSamples } from './read-samples.ts';
import type { SampleRecord } from './sample-record.ts';
import { readTranscript } from './transcript-record.ts';

/** A sample and what it said. What is undefined nobody saw. */
export interface RolloutOfSample extends RecordedRollout {
  sample: SampleRecord;
  error?: ErrorRecord;
  failedCalls: number | undefined;
  rows: readonly TrainingRow[] | undefined;
  payload: JsonObject | undefined;
  document: JsonObject | null | undefined;
}

/**
 * The samples of a run with what they said, those of a task after one another.
 * Only one transcript is in memory at a time.
 * @throws ArtError `ART_INVALID_OPTION` where a transcript that a sample names cannot be read
 */
export async function* readRollouts(folder: string): AsyncGenerator<RolloutOfSample, void, undefined> {
  const latest = new Map<string, SampleRecord>();
  for await (const { record } of readSamples(folder)) latest.set(record.id, record);
  const byTask = Map.groupBy(latest.values(), ({ taskId }) => taskId);
  for (const sample of [...byTask.values()].flat()) {
    const { id, taskId, outcome, reward, sessionId, modelCalls, transcript } = sample;
    // A run of another version, or of another program, may leave members out.
    const said = transcript == null ? undefined : await readTranscript(folder, transcript);
    yield {
      id,
      inputId: taskId,
      outcome,
      reward,
      sessionId,
      conversation: modelCalls == null ? undefined : said,
      sample,
      failedCalls: sample.failedCalls ?? undefined,
      ...(sample.error != null && { error: sample.error }),
      rows: modelCalls == null ? undefined : said?.rows,
      payload: said?.payload,
      document: said?.document,
    };
  }
}
