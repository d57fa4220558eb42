export { buildTrajectory, type Trajectory, type TrajectorySummary } from './build/build-trajectory.ts';
export {
  resolveTrajectoryOptions,
  trajectoryModes,
  type TrajectoryMode,
  type TrajectoryOptions,
} from './build/trajectory-options.ts';
export type { MaskedTurn } from './build/write-training-rows.ts';
export { expandCompactCaptures } from './compact/expand-compact-captures.ts';
export { toCompactCaptures } from './compact/to-compact-captures.ts';
export type { CompletionTokens, Conversation, ModelCallRecord } from './conversation/conversation.ts';
export { readConversation } from './conversation/read-conversation.ts';
export { exportFormats, type ExportFormat, type ExportOptions } from './export/export-options.ts';
export {
  exportRollouts,
  type ExportProblem,
  type ExportSummary,
  type RolloutExport,
} from './export/export-rollouts.ts';
export { toAgentSpans, type SpokenRollout } from './export/to-agent-spans.ts';
export type { MessageProblem } from './export/plain-message.ts';
export { readJsonl, readTrainingRows, type JsonlSource, type ReadJsonlOptions } from './files/read-jsonl.ts';
export { writeJsonl } from './files/write-jsonl.ts';
export { groupSchema, type GroupRecord, type MemberRecord } from './records/group-record.ts';
export { readGroupRecord } from './records/read-group-record.ts';
export { readRolloutRecord, readSampleRecord, RolloutNames } from './records/read-rollout-record.ts';
export {
  rolloutSchema,
  type AttemptRecord,
  type ErrorRecord,
  type OutcomeRecord,
  type RecordedRollout,
  type RolloutRecord,
  type TimingsRecord,
} from './records/rollout-record.ts';
export { sampleId, type SampleRecord, type VerdictRecord } from './records/sample-record.ts';
export { toWireNames } from './records/wire-names.ts';
export { checkRolloutRows } from './rows/check-rollout-rows.ts';
export { checkTrainingRow } from './rows/check-training-row.ts';
export type { TrainingRow, TurnSpan } from './rows/training-row.ts';
export { canonicalMessage, type CanonicalRules } from './messages/canonical-message.ts';
export { fromCaptureRecord } from './captures/from-capture-record.ts';
export { toCaptureRecord } from './captures/to-capture-record.ts';
export type {
  AgentWire,
  CaptureStatus,
  RoutedExperts,
  Capture,
  CapturePrefix,
  WeightVersionSpan,
} from './captures/capture.ts';
export type { CaptureRecord } from './captures/capture-record.ts';
export {
  toPrimeRlSample,
  type PrimeRlSample,
  type PrimeRlSampleOptions,
} from './trainers/to-prime-rl-sample.ts';
export {
  toRllmTrajectory,
  type RllmStep,
  type RllmTrajectory,
  type RllmTrajectoryOptions,
} from './trainers/to-rllm-trajectory.ts';
export { toSlimeSample, type SlimeSample, type SlimeSampleOptions } from './trainers/to-slime-sample.ts';
export { toSageMakerDatum, type SageMakerDatum } from './trainers/to-sagemaker-datum.ts';
export {
  toTinkerDatum,
  type TinkerDatum,
  type TinkerDatumOptions,
  type TinkerTensor,
} from './trainers/to-tinker-datum.ts';
export { toTrlBatch, type TrlBatch } from './trainers/to-trl-batch.ts';
export {
  toVerlAgentLoopOutputs,
  type VerlAgentLoopOutput,
  type VerlAgentLoopOutputOptions,
} from './trainers/to-verl-agent-loop-outputs.ts';
export { PrefixTree } from './tree/prefix-tree.ts';
export { aTrainChoice, type TrainChoice } from './tree/train-choice.ts';
export type { MaskReason } from './tree/turn.ts';
