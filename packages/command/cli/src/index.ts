export type { CliContext, OutputStream, SignalSource } from './cli-context.ts';
export type { DevConnection } from './connection/dev-connection.ts';
export type { DevEvent } from './dev/dev-event.ts';
export { exitCodes } from './exit-codes.ts';
export type { GatewayEvent } from './gateway/gateway-event.ts';
export type { InvokeReport } from './invoke/invoke-report.ts';
export { runCli } from './run-cli.ts';
export type {
  MeasuringConfig,
  EnforcedSampling,
  TrainConfig,
  TrainingServiceConfig,
} from './train/train-config.ts';
export type { RunReport } from './commands/runs.ts';
