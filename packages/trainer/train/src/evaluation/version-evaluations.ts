import { join } from 'node:path';
import { evaluate } from '@art/eval';
import { isAbove, isAtLeast } from '@art/ground/figures';
import type { CheckpointFile } from '../checkpoints/checkpoint-file.ts';
import type { EvaluationOptions, StopWhen } from '../run/train-options.ts';
import type { StepEvaluation, TrainingEnd } from '../run/training-step.ts';
import type { TrainingSteps, WeightsRef } from '../steps/index.ts';

export interface VersionEvaluationsDeps {
  options: Omit<EvaluationOptions, 'samples' | 'concurrency'> & { samples: number; concurrency: number };
  stopWhen: StopWhen;
  /** Folder of the run. */
  directory: string;
  checkpoints: CheckpointFile;
  onNotice: (message: string) => void;
}

/** Measures saved versions one after the other, beside training, and knows the best. */
export class VersionEvaluations {
  readonly #deps: VersionEvaluationsDeps;
  readonly #stop = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #ended: StepEvaluation[] = [];
  #best: { step: number; score: number } | undefined;
  #withoutProgress = 0;
  #measured: number | undefined;

  constructor(deps: VersionEvaluationsDeps) {
    this.#deps = deps;
    this.#best = deps.checkpoints.last().best;
  }

  /** True if the version of this step is to be evaluated. */
  isDue(step: number): boolean {
    return step % this.#deps.options.everySteps === 0;
  }

  /** The version that was measured last, or is being measured. */
  get measured(): number | undefined {
    return this.#measured;
  }

  /** Begins to measure a version, after those that are under way. */
  begin(steps: TrainingSteps, weights: WeightsRef, step: number): void {
    this.#measured = step;
    this.#last = this.#last
      .then(() => this.#measure(steps, weights, step))
      .catch((error: unknown) => {
        this.#failure ??= error as Error;
      });
  }

  /** The evaluations that ended since the last call. @throws the error that an evaluation failed with */
  take(): StepEvaluation[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#ended.splice(0);
  }

  /** When none is under way. */
  idle(): Promise<void> {
    return this.#last;
  }

  /** Why the run can end, by what was measured so far. */
  get end(): TrainingEnd | undefined {
    const { score, evaluationsWithoutProgress: most } = this.#deps.stopWhen;
    const best = this.#best;
    if (score !== undefined && best !== undefined && isAtLeast(best.score, score))
      return {
        reason: 'score',
        message: `Version ${best.step} has a score of ${best.score}, and ${score} was asked for.`,
      };
    if (most !== undefined && this.#withoutProgress >= most) {
      const known = best === undefined ? '' : ` The best is ${best.score}, of version ${best.step}.`;
      return { reason: 'no_progress', message: `${most} evaluations in a row were no better.${known}` };
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('training has ended'));
    await this.#last;
  }

  async #measure(steps: TrainingSteps, weights: WeightsRef, step: number): Promise<void> {
    this.#stop.signal.throwIfAborted();
    const { options, directory, checkpoints, onNotice } = this.#deps;
    const { policy, everySteps: _everySteps, ...given } = options;
    policy.use(steps, weights, step);
    const folder = join(directory, 'evaluations', `step-${String(step).padStart(5, '0')}`);
    const run = await evaluate({
      ...given,
      name: `step ${step}`,
      folder,
      notes: { training: directory, step, weights: weights.weights },
      control: false,
      signal: this.#stop.signal,
      onNotice,
    });
    const score = run.results.excluded.isTrusted ? run.results.mean?.value : undefined;
    if (score === undefined)
      onNotice(`Version ${step} has no score: too many samples could not be judged. ${folder} tells why.`);
    const isBest = score !== undefined && (this.#best === undefined || isAbove(score, this.#best.score));
    if (isBest) {
      this.#best = { step, score };
      this.#withoutProgress = 0;
      checkpoints.append({ event: 'best', step, score, weights: weights.weights, folder });
    } else this.#withoutProgress += 1;
    this.#ended.push({ step, score, folder, isBest });
  }
}
