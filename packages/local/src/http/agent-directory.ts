import type { LocalAgent } from '../process/local-agent.ts';
import { invalidField, ServiceFault } from '../service/service-fault.ts';

/** Finds the agent that a path names: by ARN, or by id together with `?accountId=`. */
export class AgentDirectory {
  readonly #accountId: string;
  readonly #byArn: ReadonlyMap<string, LocalAgent>;
  readonly #byId: ReadonlyMap<string, LocalAgent>;

  constructor(agents: readonly LocalAgent[], accountId: string) {
    this.#accountId = accountId;
    this.#byArn = new Map(agents.map((agent) => [agent.arn, agent]));
    this.#byId = new Map(agents.map((agent) => [agent.runtimeId, agent]));
  }

  /** @throws ServiceFault 400 without an account, 404 for an agent that is not here. */
  find(arnOrId: string, accountId: string | undefined): LocalAgent {
    const isArn = arnOrId.startsWith('arn:');
    if (!isArn && accountId === undefined) {
      throw invalidField(
        `accountId is required when the agent is named by its id (${arnOrId}) instead of its ARN`,
      );
    }
    const agent = isArn ? this.#byArn.get(arnOrId) : this.#byId.get(arnOrId);
    if (agent !== undefined && (accountId === undefined || accountId === this.#accountId)) return agent;
    throw new ServiceFault({
      type: 'ResourceNotFoundException',
      message: `No endpoint or agent found for agent '${arnOrId}'. This local runtime has: ${[...this.#byArn.keys()].join(', ')}`,
    });
  }
}
