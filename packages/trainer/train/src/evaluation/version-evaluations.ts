import { join } from 'node:path';
import { compareRuns, evaluate } from '@art/eval';
import { isAbove, isAtLeast } from '@art/ground/figures';
import { type CheckpointFile, type Version, versionName } from '../checkpoints/checkpoint-file.ts';
import { mayGoBack } from '../checkpoints/resume-point.ts';
import type { EvaluationOptions } from '../run/train-options.ts';
import type { RollBackSettings, StopWhen } from '../run/training-choices.ts';
import type { StepEvaluation, TrainingEnd } from '../run/training-step.ts';
import type { StateRef, TrainingSteps, WeightsRef } from '../steps/index.ts';
import { fell } from '../checkpoints/fell.ts';

export interface VersionEvaluationsDeps {
  options: Omit<EvaluationOptions, 'samples' | 'concurrency'> & { samples: number; concurrency: number };
  stopWhen: StopWhen;
  rollBack: RollBackSettings | undefined;
  /** Folder of the run. */
  directory: string;
  checkpoints: CheckpointFile;
  /** The step that the run continues from. */
  from: number;
  /** True if calls are refused because the budget is spent: then a version without a score was not measured. */
  isSpent: () => boolean;
  onNotice: (message: string) => void;
}

/** Measures saved versions one after the other, beside training, and knows the best. */
export class VersionEvaluations {
  readonly #deps: VersionEvaluationsDeps;
  readonly #stop = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #ended: StepEvaluation[] = [];
  #best: { step: number; score: number; folder: string } | undefined;
  /** The scores behind the best one. */
  readonly #sinceBest: (number | undefined)[];
  /** Names of the versions that were measured, or are being measured. */
  readonly #begun: Set<string>;
  #underWay: (WeightsRef & StateRef) | undefined;

  constructor(deps: VersionEvaluationsDeps) {
    this.#deps = deps;
    const measured = deps.checkpoints.measured();
    const best = measured.findLast(({ isBest }) => isBest);
    if (best?.score !== undefined) this.#best = { ...best, score: best.score };
    this.#sinceBest = deps.checkpoints.scoresSinceBest(deps.from);
    this.#begun = new Set(measured.map(versionName));
  }

  /** True if the version of this step is to be evaluated. */
  isDue(step: number): boolean {
    return step % this.#deps.options.everySteps === 0;
  }

  /** True if a version was measured, by this process or one before, or is being measured. */
  hasBegun(version: Version): boolean {
    return this.#begun.has(versionName(version));
  }

  /** The saves of the version that is being measured. */
  get underWay(): (WeightsRef & StateRef) | undefined {
    return this.#underWay;
  }

  /** Begins to measure a version, after those that are under way. */
  begin(steps: TrainingSteps, saved: WeightsRef & StateRef, version: Version): void {
    this.#begun.add(versionName(version));
    this.#underWay = saved;
    this.#last = this.#last
      .then(() => this.#measure(steps, saved, version))
      .catch((error: unknown) => {
        if (!this.#deps.isSpent()) this.#failure ??= error as Error;
      })
      .finally(() => (this.#underWay = undefined));
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
    const known = best === undefined ? '' : ` The best is ${best.score}, of version ${best.step}.`;
    if (most !== undefined && this.#sinceBest.length >= most)
      return { reason: 'no_progress', message: `${most} evaluations in a row were no better.${known}` };
    if (this.#fell && !this.#mayGoBack)
      return { reason: 'no_progress', message: `The score fell again, as often as it may.${known}` };
    return undefined;
  }

  /** The step to go back to; undefined where the score did not fall, or that is not asked for. */
  get goesBackTo(): number | undefined {
    return this.#fell && this.#mayGoBack ? this.#best?.step : undefined;
  }

  get #fell(): boolean {
    const { rollBack } = this.#deps;
    return rollBack !== undefined && fell(this.#best?.score, this.#sinceBest, rollBack);
  }

  get #mayGoBack(): boolean {
    return mayGoBack(this.#deps.checkpoints, this.#deps.rollBack);
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('training has ended'));
    await this.#last;
  }

  async #measure(
    steps: TrainingSteps,
    { weights, state }: WeightsRef & StateRef,
    version: Version,
  ): Promise<void> {
    this.#stop.signal.throwIfAborted();
    const { options, directory, checkpoints, isSpent, onNotice } = this.#deps;
    const { step } = version;
    const { policy, everySteps: _everySteps, until, ...given } = options;
    const first = until && checkpoints.measured().find(({ score: known }) => known !== undefined);
    policy.use(steps, { weights }, step);
    const folder = join(directory, 'evaluations', versionName(version));
    const run = await evaluate({
      ...given,
      until: first ? until.replace('difference', () => `difference from ${first.folder}`) : undefined,
      name: `step ${step}`,
      folder,
      notes: { training: directory, ...version, weights },
      control: false,
      signal: this.#stop.signal,
      onNotice,
    });
    const score = run.results.excluded.isTrusted ? run.results.mean?.value : undefined;
    if (score === undefined && isSpent()) return;
    if (score === undefined)
      onNotice(`Version ${step} has no score: too many samples could not be judged. ${folder} tells why.`);
    const best = this.#best;
    // Scores are of different tasks, so versions are compared by those that both have.
    const fromBest =
      first && best && score !== undefined ? await differenceOf(best.folder, folder) : undefined;
    const isBest =
      score !== undefined &&
      isAbove(fromBest ?? score, fromBest === undefined ? (best?.score ?? -Infinity) : 0);
    if (isBest) {
      this.#best = { step, score, folder };
      this.#sinceBest.length = 0;
    } else this.#sinceBest.push(fromBest === undefined ? score : best!.score + fromBest);
    const { tasks } = run.results;
    checkpoints.append({
      event: 'evaluation',
      ...version,
      score,
      tasks,
      fromBest,
      weights,
      state,
      folder,
      isBest,
    });
    this.#ended.push({ step, score, tasks, folder, isBest });
  }
}

/** Without a task that both have none is the better one. */
async function differenceOf(baseline: string, candidate: string): Promise<number> {
  return (await compareRuns({ baseline, candidate })).difference?.value ?? 0;
}
