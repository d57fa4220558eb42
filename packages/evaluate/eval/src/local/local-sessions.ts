import type { RolloutClientOptions } from '@art/rollout';
import type { EvaluatedAgent } from '../run/evaluated-agent.ts';

/** Where the sessions of a local agent are, and what is known of them there. */
export interface LocalSessions extends Pick<EvaluatedAgent, 'storedAtMs' | 'logOf'> {
  client: Pick<
    RolloutClientOptions,
    'runtime' | 'agentRuntimeArn' | 'store' | 'bucket' | 'expId' | 'results'
  >;
}

/** How the process of an agent is started. */
export interface LocalCommand {
  command: string | readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>> | undefined;
}
