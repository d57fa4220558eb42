import type { FastifyBaseLogger } from 'fastify';
import type { CallsInFlight } from '../sessions/calls-in-flight.ts';
import type { SessionKeys } from '../sessions/session-keys.ts';
import type { FrontMetrics } from './front-metrics.ts';
import type { SharedSettings } from './shared-settings.ts';
import type { Shards } from './shards.ts';

/** Everything that a request goes through in the front. */
export interface FrontContext {
  readonly shards: Shards;
  readonly settings: SharedSettings;
  /** With the secret of the gateway processes. */
  readonly keys: SessionKeys;
  readonly inFlight: CallsInFlight;
  readonly metrics: FrontMetrics;
  readonly bodyLimitBytes: number;
  /** Whether any API key names a session. */
  readonly sessionsFromKeys: boolean;
  /** What the control routes of the gateway processes want to see; names and values in turn. */
  readonly headers: readonly string[];
  readonly log: FastifyBaseLogger;
}
