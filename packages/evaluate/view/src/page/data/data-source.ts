import type { Annotation } from '@art/eval/records';
import type { GroupRow } from '../../report/group-row.ts';
import type { RunHealthReport } from '../../report/run-health.ts';
import type { RunInfo, ShownTrainingStep } from '../../report/run-info.ts';
import type { Said } from '../../report/said.ts';
import type { SampleDetail } from '../../report/sample-detail.ts';
import type { SampleRow } from '../../report/sample-row.ts';

/** Where the page gets what it shows. Runs go by their position. */
export interface DataSource {
  /** True if there may be more later. */
  isServed: boolean;
  runs(): Promise<RunInfo[]>;
  /** Reads rows from number `from` on; not necessarily all of them. */
  rows(run: number, from: number): Promise<SampleRow[]>;
  steps(run: number, from: number): Promise<ShownTrainingStep[]>;
  groups(run: number, from: number): Promise<GroupRow[]>;
  /** Reads the verdicts of the checks; null where the run keeps no rollouts. */
  health(run: number): Promise<RunHealthReport | null>;
  detail(run: number, at: number): Promise<SampleDetail>;
  /** Keeps a person's score of a sample; undefined where nothing is kept. @throws Error with why it is not */
  annotate: ((run: number, given: GivenAnnotation) => Promise<Annotation>) | undefined;
  /** Samples from a position on in whose transcripts a text stands, capitals or not; not necessarily all of them. */
  said(run: number, text: string, from: number, signal: AbortSignal): Promise<Said>;
}

/** The score that a person gives, and the sample that the page shows beside it. */
export interface GivenAnnotation extends Pick<Annotation, 'id' | 'label' | 'remark'> {
  folder: string;
  at: number;
  /** Revision that the person has seen, 0 for none. */
  replaces: number;
}
