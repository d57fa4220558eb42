import type { Clock } from '@art/ground';
import type { CollectServiceOptions } from '../run/collect-service.ts';

/** Options of `AgentLightningController`; the gateway is the server's own. */
export interface AgentLightningOptions extends Pick<CollectServiceOptions, 'directory' | 'client' | 'expId'> {
  /** Address of the server. */
  url: string;
  /** The same server's address as agents reach it. @default url */
  agentUrl?: string | undefined;
  /** The server's key, also for the agents' model calls. @default none */
  key?: string | undefined;
  /** Most sessions at once. */
  maxConcurrentSessions: number;
  /** Pause before the server is asked again for rollouts that wait, in milliseconds. @default 1_000 */
  pollMs?: number | undefined;
  /** Called with what continues in spite of trouble. */
  onNotice: (message: string) => void;
}

/** The options with what they stand for; addresses have no slash at their end. */
export type ResolvedLightningOptions = AgentLightningOptions & { agentUrl: string; clock: Clock };
