import type { GatewayRun } from '../gateway/gateway-run.ts';
import type { RunMetrics } from '../measure/run-metrics.ts';
import type { ClientScenario } from '../scenarios/client-scenario.ts';
import type { ServerRun } from '../scenarios/run-server-scenario.ts';

/** A benchmark that has run. */
export type ScenarioResult =
  | { kind: 'clients'; scenario: ClientScenario; runs: RunMetrics[] }
  | { kind: 'server'; runs: ServerRun[] }
  | { kind: 'gateway'; run: GatewayRun };
