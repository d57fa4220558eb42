export { annotate, type Annotation, readAnnotations } from './annotation.ts';
export { runFiles, runPath, type RunFile } from './run-folder.ts';
export {
  readRunRecord,
  writeRunRecord,
  type GitState,
  type RunProcess,
  type RunRecord,
} from './run-record.ts';
export { readJsonFile } from './read-json-file.ts';
export { readRollouts } from './read-rollouts.ts';
export { readGroupFile, readRunRollouts } from './read-run-rollouts.ts';
export { recogniseRun, type RecordedRun, recordedRunKinds } from './recognise-run.ts';
export { readSamples, type ReadSample } from './read-samples.ts';
export { readStatus, writeStatus, type LiveSample, type StatusRecord } from './status-record.ts';
export { readTranscript, type TranscriptRecord } from './transcript-record.ts';
export {
  readResults,
  writeResults,
  type Estimate,
  type IntervalMethod,
  type KEstimate,
  type ResultsRecord,
  type Spread,
} from './results-record.ts';
