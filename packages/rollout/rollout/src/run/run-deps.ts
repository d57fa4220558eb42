import type { RunHeader } from '@art/journal';
import type { ActiveRollouts } from '../active/active-rollouts.ts';
import type { ClientEvents } from '../active/client-events.ts';
import type { RolloutDeps } from '../lifecycle/rollout-deps.ts';
import type { RolloutIds } from '../request/rollout-ids.ts';

/** The dependencies of a run. */
export interface RunDeps extends RolloutDeps {
  ids: RolloutIds;
  active: ActiveRollouts;
  events: ClientEvents;
  /** The place of a run's requests and results, for its journal. */
  place: Pick<RunHeader, 'expId' | 'bucket' | 'agentRuntimeArn'>;
  /** Runs of which something is left; of some only a journal that waits for acknowledgements. */
  runs: Set<{ stop(reason: unknown): Promise<void>; close(): Promise<void> }>;
  /**
   * Looks for what would fail for every rollout, before anything is sent.
   * @throws ArtError; the signal's reason
   */
  preflight: { assertReady(): void; pass(signal: AbortSignal | undefined): Promise<void> };
  /** Keeps the process alive, and stoppable by its signals, until the returned function is called. */
  hold: () => () => void;
}
