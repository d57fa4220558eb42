import type { SampleRecord } from '@art/trajectories';
import type { TranscriptRecord } from '@art/eval/records';

/** Everything that is known of one sample. */
export interface SampleDetail {
  record: SampleRecord;
  transcript: TranscriptRecord | null;
  /** Why there is no transcript although the record names one. */
  transcriptProblem: string | null;
}
