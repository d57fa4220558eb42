import { type AgentCheck, lookAt } from '../agent-check.ts';
import type { Seen } from '../finding.ts';
import { rolloutPair, type RolloutSeen } from '../room/rollout-pair.ts';

/** Looks at two concurrent rollouts together. */
export const ofPair = lookAt(rolloutPair);

/** Looks at each of them. */
export const ofEach = (look: (rollout: RolloutSeen) => Seen): AgentCheck['run'] =>
  ofPair(({ rollouts }) => {
    const seen = rollouts.map(look);
    return seen.find(({ verdict }) => verdict !== 'ok') ?? seen[0]!;
  });
