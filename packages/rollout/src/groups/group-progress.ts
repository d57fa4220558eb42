import type { BatchProgress } from '../pool/batch-progress.ts';
import type { GroupKind } from './group.ts';

/** How far a run of groups is. */
export interface GroupProgress {
  /** Inputs whose rollouts have been lined up so far. */
  opened: number;
  /** Groups that are not settled yet. */
  active: number;
  /** Settled groups by kind. */
  settled: Record<GroupKind, number>;
  /**
   * Attempts of all members, retries and replacements among them; those that were stopped count as `cancelled`. Its mean
   * reward reads the last turn, whatever the groups' rule is.
   */
  rollouts: BatchProgress;
}

/** Counts groups along. */
export class GroupProgressCounter {
  #opened = 0;
  readonly #settled: Record<GroupKind, number> = { complete: 0, degraded: 0, failed: 0 };

  opened(): void {
    this.#opened += 1;
  }

  settled(kind: GroupKind): void {
    this.#settled[kind] += 1;
  }

  snapshot(rollouts: BatchProgress): GroupProgress {
    const { complete, degraded, failed } = this.#settled;
    const active = this.#opened - complete - degraded - failed;
    return { opened: this.#opened, active, settled: { ...this.#settled }, rollouts };
  }
}
