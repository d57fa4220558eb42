export type { OpenEngine } from './engines/engine-transport.ts';
export { engineFlavours, type EngineFlavour } from './engines/engine-profiles.ts';
export { gatewayFlags, type GatewayFlag } from './options/gateway-flags.ts';
export { readGatewayConfig, type GatewayConfig } from './options/gateway-config.ts';
export {
  logLevels,
  type AuthOptions,
  type GatewayOptions,
  type HeartbeatOptions,
  type RetryOptions,
  type StoreOptions,
} from './options/gateway-options.ts';
export type { WorkerOptions } from './routing/worker.ts';
export type { SignRequest, UnsignedRequest } from './engines/sign-request.ts';
export type { AnswerStore, KeptAnswer } from './engines/answer-store.ts';
export type { Gateway } from './server/start-gateway.ts';
export { startGateway } from './server/start-gateway.ts';
export { DiskCaptureStore, type DiskCaptureStoreOptions } from './store/disk/disk-capture-store.ts';
export { MemoryCaptureStore, type MemoryCaptureStoreOptions } from './store/memory-capture-store.ts';
export type { RetentionOptions } from './store/retention.ts';
export type {
  SessionInit,
  StoredSession,
  CaptureRange,
  CaptureStore,
  CaptureStoreStats,
} from './store/capture-store.ts';
export type { NewCapture, PromptMessages, TextBytes, TurnBefore } from './store/capture-store.ts';
