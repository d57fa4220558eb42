import type { StateRef, TrainingSteps, WeightsRef } from '../steps/index.ts';
import { type CheckpointFile, type KeptSave, type Version, versionName } from './checkpoint-file.ts';

/** Checkpoints whose state and weights stay, so that one that cannot be loaded does not end a run. */
const keptCheckpoints = 2;

export interface KeptSavesDeps {
  steps: Pick<TrainingSteps, 'saveForSampling' | 'saveState' | 'forget'>;
  checkpoints: CheckpointFile;
  onNotice: (message: string) => void;
  signal: AbortSignal | undefined;
}

/**
 * Weights and states that outlive their session. Services keep each of them until it is deleted, so each is written down, and deleted once
 * nothing of the run needs it: the last two checkpoints, the best version and the base model stay.
 */
export class KeptSaves {
  readonly #deps: KeptSavesDeps;
  #deleting: Promise<void> = Promise.resolve();

  constructor(deps: KeptSavesDeps) {
    this.#deps = deps;
  }

  /** The place in the order of operations is fixed when it is called. */
  async weights(version: Version): Promise<WeightsRef> {
    const { steps, signal } = this.#deps;
    const saved = await steps.saveForSampling(versionName(version), { keep: true }).result({ signal });
    this.#note(saved.weights, false);
    return saved;
  }

  /** The place in the order of operations is fixed when it is called. */
  async state(version: Version): Promise<StateRef> {
    const { steps, signal } = this.#deps;
    const saved = await steps.saveState(versionName(version)).result({ signal });
    this.#note(saved.state, true);
    return saved;
  }

  /** Both at the same place of the order of operations. */
  async both(version: Version): Promise<WeightsRef & StateRef> {
    const [state, weights] = await Promise.all([this.state(version), this.weights(version)]);
    return { ...state, ...weights };
  }

  /** Deletes what nothing needs any more, beside what continues. @param inUse names that are needed for a while */
  prune(inUse: readonly (string | undefined)[]): void {
    const { checkpoints } = this.#deps;
    const saved = checkpoints.checkpoints();
    const best = checkpoints.measured().findLast(({ isBest }) => isBest);
    const needed = new Set([
      ...inUse,
      best?.weights,
      best?.state,
      ...saved.slice(-keptCheckpoints).flatMap(({ state, weights, base }) => [state, weights, base]),
    ]);
    const unneeded = checkpoints.kept().filter(({ save }) => !needed.has(save));
    this.#deleting = this.#deleting.then(async () => {
      for (const kept of unneeded) await this.#delete(kept);
    });
  }

  /** When nothing is being deleted. Never rejects. */
  idle(): Promise<void> {
    return this.#deleting;
  }

  #note(save: string, isState: boolean): void {
    this.#deps.checkpoints.append({ event: 'kept', save, isState });
  }

  async #delete({ save, isState }: KeptSave): Promise<void> {
    const { steps, checkpoints, onNotice } = this.#deps;
    try {
      const isGone = await steps.forget?.(isState ? { state: save } : { weights: save });
      if (isGone === true) checkpoints.append({ event: 'deleted', save, isState });
    } catch (error) {
      onNotice(`${save}, which is no longer needed, stays: ${(error as Error).message}`);
    }
  }
}
