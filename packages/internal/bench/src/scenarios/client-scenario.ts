import type { ClientKind } from '../clients/client-kind.ts';
import type { ClientTask } from '../clients/client-task.ts';
import type { EndpointSettings } from '../endpoint/endpoint-settings.ts';
import type { ClientScenarioName } from './scenario-name.ts';

/** Demands on the clients and on the endpoint in a benchmark. */
export interface ClientScenario {
  name: ClientScenarioName;
  title: string;
  /** Purpose of the scenario. */
  about: string;
  endpoint: Omit<EndpointSettings, 'seed' | 'rollouts' | 'history'>;
  /** Older results in the experiment. */
  historyKeys?: number;
  task: Omit<ClientTask, 'agentRuntimeArn' | 'bucket' | 'expId' | 'seed'>;
  /** The clients beside the one that is measured, and beside the Python toolkit. */
  references: readonly ClientKind[];
  /** How often it runs; the median counts. */
  repeats: number;
}
