export type { AdamParams } from './adam-params.ts';
export { lossNames, type Loss, type LossName, type RatioBounds } from './loss.ts';
export { chunkRows, type ChunkLimits } from './chunk-rows.ts';
export { joinPasses, numberListOf, numbersOf, type PassPart } from './join-passes.ts';
export { OperationOrder } from './operation-order.ts';
export type { StepRow } from './step-row.ts';
export { submitted, type Submitted } from './submitted.ts';
export type { TrainingSessionRequest, SessionRecord, TrainingService } from './training-service.ts';
export type {
  PassResult,
  Sample,
  SampleRequest,
  SaveForSamplingOptions,
  StateRef,
  StepResult,
  StepsInfo,
  TrainingSteps,
  WeightsRef,
} from './training-steps.ts';
