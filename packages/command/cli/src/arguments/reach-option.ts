import { refuseOption } from '@art/ground';
import { Option } from '@commander-js/extra-typings';

/** How agents reach the gateway; the same for every command that has rollouts captured by one. */
export function reachOption() {
  return new Option(
    '--reach <way>',
    'session: agents on AgentCore reach the gateway through their sessions, and it needs no address there (default: they call its address)',
  ).choices(['session'] as const);
}

/** Options that `--reach` has to agree with. */
interface ReachUse {
  reach?: 'session' | undefined;
  agentGateway?: string | undefined;
  /** True if the command has a gateway for the rollouts. */
  hasGateway: boolean;
  /** True if the command starts the agent on this machine. */
  isAgentHere: boolean;
}

/** @throws ArtError `ART_INVALID_OPTION` where the calls of agents cannot go through their sessions */
export function checkReach({ reach, agentGateway, hasGateway, isAgentHere }: ReachUse): void {
  if (reach === undefined) return;
  if (isAgentHere) {
    refuseOption('--reach', 'left out for an agent that this command starts', reach, {
      advice:
        'Such an agent has no WebSocket and calls the gateway at its address. --reach session is for AgentCore, also the local one of "art dev".',
    });
  }
  if (!hasGateway) {
    refuseOption('--gateway', 'given beside --reach session', undefined, {
      advice: 'The calls of agents are carried to that gateway.',
    });
  }
  if (agentGateway !== undefined) {
    refuseOption('--agent-gateway', 'left out beside --reach session', agentGateway, {
      advice: 'Agents need no address of the gateway then.',
    });
  }
}
