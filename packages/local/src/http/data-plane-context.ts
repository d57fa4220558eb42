import type { ProcessGuard } from '../process/process-guard.ts';
import type { EndpointLog } from '../service/endpoint-log.ts';
import type { MetricsRecorder } from '../service/metrics.ts';
import type { ServiceLimits } from '../service/service-limits.ts';
import type { RuntimeFaultHooks } from '../session/runtime-faults.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { AgentDirectory } from './agent-directory.ts';

/** What the routes of the data plane work with. */
export interface DataPlaneContext {
  directory: AgentDirectory;
  table: SessionTable;
  limits: ServiceLimits;
  metrics: MetricsRecorder;
  log: EndpointLog;
  faults: RuntimeFaultHooks | undefined;
  guard: ProcessGuard;
  /** Whether commands that come over HTTP are run. */
  allowCommands: boolean;
  region: string;
  /** Where the service is reached, for the URL in an agent card. */
  endpoint(): string;
  initTimeoutMs: number;
  requestTimeoutMs: number;
  streamTimeoutMs: number;
  stopGraceMs: number;
}
