import type { FastifyBaseLogger } from 'fastify';
import type { EngineTransport } from '../../engines/engine-transport.ts';
import type { GatewayMetrics } from '../../metrics/gateway-metrics.ts';
import type { NativeRoutes } from './native-routes.ts';
import type { ResolvedGatewayOptions } from '../../options/resolve-gateway-options.ts';
import type { WorkerFlavours } from '../../routing/worker-flavours.ts';
import type { WorkerPool } from '../../routing/worker-pool.ts';
import type { CallsInFlight } from '../../sessions/calls-in-flight.ts';
import type { SessionDirectory } from '../../sessions/session-directory.ts';
import type { SessionKeys } from '../../sessions/session-keys.ts';
import type { WeightVersion } from '../../sessions/weight-version.ts';
import type { TraceStore } from '../../store/trace-store.ts';
import type { ResponseItems } from '@art/model-wires';
import type { ApiFailure } from '../../http/api-error.ts';
import type { LoopTurns } from './loop-turns.ts';
import type { ProxyEndpoint } from '../../http/proxy-path.ts';

/** Asked before each call of a session; what it returns is told the agent instead of asking the engine. */
export type CallAdmission = (
  sessionId: string,
  endpoint: ProxyEndpoint,
) => ApiFailure | undefined | Promise<ApiFailure | undefined>;

/** Everything that a call goes through. */
export interface ProxyContext {
  readonly options: ResolvedGatewayOptions;
  readonly pool: WorkerPool;
  readonly flavours: WorkerFlavours;
  readonly nativeRoutes: NativeRoutes;
  /** When a large body may be read. */
  readonly turns: LoopTurns;
  readonly store: TraceStore;
  readonly directory: SessionDirectory;
  readonly keys: SessionKeys;
  readonly weights: WeightVersion;
  readonly inFlight: CallsInFlight;
  readonly metrics: GatewayMetrics;
  readonly log: FastifyBaseLogger;
  /** Plain HTTP, for everything that is passed on as it is. */
  readonly http: EngineTransport;
  /** For chat calls: the same, unless the gateway itself renders and samples token ids. */
  readonly chat: EngineTransport;
  /** Output items that agents of the Responses wire name by id. */
  readonly responseItems: ResponseItems;
  /** Who may refuse a call; filled when the gateway is put together. */
  readonly admissions: CallAdmission[];
  /** Told the session of each call that was admitted and then failed. */
  readonly failedTurns: ((sessionId: string) => void)[];
}
