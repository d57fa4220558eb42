import { randomUUID } from 'node:crypto';

/** Makes the ids that a caller did not choose. */
export interface RolloutIds {
  /** Names one batch or one series of single rollouts; later ones sort after earlier ones. */
  batchId(epochMs: number): string;
  sessionId(): string;
  invocationId(): string;
}

// Entropy is drawn per call: ids cached before a machine snapshot would be the same on every clone of it.
const uuid = (): string => randomUUID({ disableEntropyCache: true });

/** Random ids. */
export const randomRolloutIds: RolloutIds = {
  batchId: (epochMs) => `b${epochMs.toString(36).padStart(9, '0')}${uuid().slice(0, 8)}`,
  sessionId: uuid,
  invocationId: uuid,
};

/**
 * The input id of a rollout whose caller gave none. All of a batch share a prefix and sort by index, so one listing
 * covers the batch, however many older results its experiment holds.
 */
export function generatedInputId(batchId: string, index: number): string {
  return `${batchId}-${String(index).padStart(8, '0')}`;
}
