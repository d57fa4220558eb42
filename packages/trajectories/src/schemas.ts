export { TrainingRowSchema, TurnSpanSchema } from './rows/training-row-schema.ts';
export { TraceRecordSchema } from './traces/trace-record-schema.ts';
