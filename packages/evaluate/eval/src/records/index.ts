export { JsonLinesFile, type LinePlace } from './json-lines-file.ts';
export { readJsonLines, type JsonLine } from './json-lines.ts';
export { runFiles, runPath, type RunFile } from './run-folder.ts';
export {
  readRunRecord,
  writeRunRecord,
  type GitState,
  type PriceTable,
  type RunProcess,
  type RunRecord,
} from './run-record.ts';
export type { AttemptRecord, ErrorRecord, OutcomeRecord } from '@art/rollout';
export { sampleId, type SampleRecord, type SampleTimings } from './sample-record.ts';
export { readRollouts } from './read-rollouts.ts';
export { evalGroupLine, type GroupLine } from './group-line.ts';
export { readGroupFile } from './read-group-file.ts';
export { readRunRollouts, type RunRollout } from './read-run-rollouts.ts';
export { recogniseRun, type RecordedRun, recordedRunKinds } from './recognise-run.ts';
export { rolloutLine, RolloutNames } from './rollout-line.ts';
export { wellFormedError, wellFormedOutcome } from './well-formed-outcome.ts';
export { openPlacedLines, type PlacedLines } from './open-placed-lines.ts';
export { readSamples, type ReadSample } from './read-samples.ts';
export { readStatus, writeStatus, type LiveSample, type StatusRecord } from './status-record.ts';
export { readTranscript, type TranscriptRecord } from './transcript-record.ts';
export type { CompletionTokens, ModelCallRecord } from '@art/trajectories';
export {
  readResults,
  writeResults,
  type Estimate,
  type IntervalMethod,
  type KEstimate,
  type ResultsRecord,
  type Spread,
} from './results-record.ts';
