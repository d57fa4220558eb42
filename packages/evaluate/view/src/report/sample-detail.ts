import type { SampleRecord } from '@art/trajectories';
import type { Annotation, TranscriptRecord } from '@art/eval/records';

/** Everything that is known of one sample. */
export interface SampleDetail {
  record: SampleRecord;
  transcript: TranscriptRecord | null;
  /** Why there is no transcript although the record names one. */
  transcriptProblem: string | null;
  /** A person's score and remark; null for none. */
  annotation: Annotation | null;
}
