import type { ResponseItems } from '../../model-wires/chat/wire-translation.ts';
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
import type { CaptureStore } from '../../store/capture-store.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { LoopTurns } from './loop-turns.ts';

/** Services that every stage of a call needs. */
export interface StageServices {
  readonly options: ResolvedGatewayOptions;
  readonly metrics: GatewayMetrics;
  readonly log: FastifyBaseLogger;
}

/** For letting a call in. */
export interface AdmissionServices extends StageServices {
  readonly keys: SessionKeys;
  readonly sessions: LiveSessions;
  readonly inFlight: CallsInFlight;
}

/** For making a call ready for one worker. */
export interface PreparationServices extends StageServices {
  /** Output items that agents of the Responses API name by id. */
  readonly responseItems: ResponseItems;
  readonly nativeRoutes: NativeRoutes;
  /** Has the turn that a call continues. */
  readonly store: CaptureStore;
  readonly engines: EngineTransport;
}

/** For asking workers. */
export interface SendingServices extends StageServices {
  readonly pool: WorkerPool;
  readonly flavours: WorkerFlavours;
  readonly engines: EngineTransport;
  /** Undefined where every call is asked. */
  readonly keptAnswers: KeptAnswers | undefined;
}

/** For passing an answer on and storing its captures. */
export interface RelayServices extends StageServices {
  readonly store: CaptureStore;
  readonly sessions: LiveSessions;
  readonly weights: WeightVersion;
  readonly engines: EngineTransport;
  /** When a large body may be read. */
  readonly loopTurns: LoopTurns;
}

/** Everything that lives as long as the gateway. */
export interface GatewayServices
  extends AdmissionServices, PreparationServices, SendingServices, RelayServices {}
