// Before everything else, which an older Node may not be able to load.
import '@art/protocol/require-node';
export type { RedactionOptions } from '@art/protocol';
export { AgentCoreRLApp } from './agentcore-rl-app.ts';
export type { AgentCoreRLAppOptions, AppConfig } from './app-options.ts';
export { getContext } from './context/context-storage.ts';
export type { RequestContext } from './context/request-context.ts';
export type { ContentTypeParserConfig } from './http/content-types.ts';
export type { EventStreamMessage } from './http/event-stream.ts';
export type { WebSocketHandler } from './http/websocket-route.ts';
export { InfrastructureError } from './infrastructure/infrastructure-error.ts';
export type { InvocationHandler, InvocationProcess } from './invocation/invocation-handler.ts';
export type { ListenOptions } from './lifecycle/listen-address.ts';
export type { LoggingConfig } from './logging/logger-options.ts';
export type { PingHandler } from './ping/ping-status.ts';
export type { ResultStoreOption } from './rollout/result-store-source.ts';
export type { RolloutHandler, RolloutProcess, RolloutResult } from './rollout/rollout-handler.ts';
export type { RequestOf, RequestSchema } from './schema/request-schema.ts';
export type { AsyncTaskInfo } from './tasks/async-tasks.ts';
