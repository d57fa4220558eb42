import type { ClientKind } from '../clients/client-kind.ts';
import type { ClientTask } from '../clients/client-task.ts';
import type { EndpointSettings } from '../endpoint/endpoint-settings.ts';
import type { ClientScenarioName } from './scenario-name.ts';

/** What is asked of the clients and of the endpoint in a benchmark. */
export interface ClientScenario {
  name: ClientScenarioName;
  title: string;
  /** What it shows. */
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
