import type { RunSession } from '@art/journal';
import type { RolloutParts } from '../lifecycle/rollout-parts.ts';
import type { ClientEvents } from '../live/client-events.ts';
import type { LiveRollouts } from '../live/live-rollouts.ts';

/** What a run works with. */
export interface RunParts extends RolloutParts {
  live: LiveRollouts;
  events: ClientEvents;
  /** Of input ids that the caller does not choose. */
  inputIdPrefix: string;
  /** The run in its journal, where it has one. */
  session: RunSession | undefined;
}
