import type { ResponseItems } from '@art/model-wires';
import type { FastifyBaseLogger } from 'fastify';
import type { EngineTransport } from '../../engines/engine-transport.ts';
import type { GatewayMetrics } from '../../metrics/gateway-metrics.ts';
import type { ResolvedGatewayOptions } from '../../options/resolve-gateway-options.ts';
import type { NativeRoutes, WorkerFlavours } from '../../routing/worker-flavours.ts';
import type { WorkerPool } from '../../routing/worker-pool.ts';
import type { CallsInFlight } from '../../sessions/calls-in-flight.ts';
import type { LiveSessions } from '../../sessions/live-sessions.ts';
import type { SessionKeys } from '../../sessions/session-keys.ts';
import type { WeightVersion } from '../../sessions/weight-version.ts';
import type { TraceStore } from '../../store/trace-store.ts';
import type { LoopTurns } from './loop-turns.ts';

/** Everything that a call goes through. */
export interface CallContext {
  readonly options: ResolvedGatewayOptions;
  readonly pool: WorkerPool;
  readonly flavours: WorkerFlavours;
  readonly nativeRoutes: NativeRoutes;
  /** When a large body may be read. */
  readonly turns: LoopTurns;
  readonly store: TraceStore;
  readonly sessions: LiveSessions;
  readonly keys: SessionKeys;
  readonly weights: WeightVersion;
  readonly inFlight: CallsInFlight;
  readonly metrics: GatewayMetrics;
  readonly log: FastifyBaseLogger;
  readonly engines: EngineTransport;
  /** Output items that agents of the Responses wire name by id. */
  readonly responseItems: ResponseItems;
}
