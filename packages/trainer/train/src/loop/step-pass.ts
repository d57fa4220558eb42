import { ArtError } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import { type Version, versionName } from '../checkpoints/checkpoint-file.ts';
import { checkPassNumbers, checkStepNumbers } from '../guards/check-numbers.ts';
import { logprobGap, refuseLogprobGap } from '../guards/check-step.ts';
import { PassGuard } from '../guards/pass-guard.ts';
import { StaleSamplerGuard } from '../guards/stale-sampler-guard.ts';
import { UpdateGuard } from '../guards/update-guard.ts';
import { averageLoss } from '../rows/average-loss.ts';
import { addReverseKl, scaleAdvantages, type Scorer } from '../rows/reverse-kl.ts';
import { measureLag } from '../rows/measure-lag.ts';
import { toStepRow } from '../rows/to-step-row.ts';
import { learningRateAt } from '../run/learning-rate-at.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { UpdateMeasures } from '../run/training-step.ts';
import type { MeteredSteps } from '../spending/metered-steps.ts';
import type { TrainingSteps, WeightsRef } from '../steps/index.ts';
import { isTeacher, type Teacher } from '../teacher/teacher.ts';
import type { OpenLoop } from './open-loop.ts';

/** The measurements of a pass over rows. */
export interface PassMeasures {
  /** Undefined where no step was made. */
  learningRate: number | undefined;
  klToBase: number | undefined;
  klToTeacher: number | undefined;
  logprobGap: number | undefined;
  /** Undefined where the step was not judged. */
  update: UpdateMeasures | undefined;
  metrics: Readonly<Record<string, number>>;
}

/** One training step at the service: a pass over rows, an optimizer step, new weights, and the guards of all three. */
export class StepPass {
  readonly #settings: TrainSettings;
  readonly #steps: TrainingSteps;
  readonly #base: Scorer | undefined;
  readonly #teacher: Scorer | undefined;
  readonly #guard: PassGuard;
  readonly #update: UpdateGuard;
  readonly #sampler = new StaleSamplerGuard();
  /** The weights that the next pass begins with. */
  #weights: WeightsRef;

  /**
   * @param run the weights that the first pass begins with, and those before the first step where staying near them is worth something
   */
  constructor(
    settings: TrainSettings,
    { session: { steps }, weights, base }: Pick<OpenLoop, 'session' | 'weights' | 'base'>,
  ) {
    this.#settings = settings;
    this.#steps = steps;
    this.#base = base && { name: 'base model', logprobs: scoring(steps, base) };
    const { teacher } = settings;
    this.#teacher = teacher && { name: 'teacher', logprobs: scoring(steps, teacher) };
    this.#weights = weights;
    this.#guard = new PassGuard(settings.onNotice);
    this.#update = new UpdateGuard(settings.guards.checkUpdateEverySteps);
  }

  /**
   * @param before the version that the pass begins with
   * @param made the one that it makes
   * @throws what a guard refuses; ArtError `ART_TRAIN_BUDGET_SPENT` before anything is trained
   */
  async make(
    rows: readonly TrainingRow[],
    before: number,
    made: Version,
  ): Promise<{ weights: WeightsRef; measures: PassMeasures }> {
    const { loss, average, klCoefficient, distillation, adam, guards, signal, maxStepsOffPolicy } =
      this.#settings;
    const steps = this.#steps;
    const names = rows.map(({ row_id: name }) => name);
    const plain = rows.map(toStepRow);
    const earned = this.#teacher === undefined ? plain : scaleAdvantages(plain, distillation.reward);
    const taught = await addReverseKl(earned, names, distillation.coefficient, this.#teacher, signal);
    const near = await addReverseKl(taught.rows, names, klCoefficient, this.#base, signal);
    const stepRows = averageLoss(near.rows, average);
    // All are submitted before the first is awaited: a service that works in turns does them in one.
    const pass = steps.forwardBackward(stepRows, loss);
    const learningRate = learningRateAt(made.step, this.#settings);
    const step = steps.optimStep({ ...adam, learningRate });
    const saved = steps.saveForSampling(versionName(made), { keep: false });
    const passed = await pass.result({ signal });
    const isFresh = (row: number): boolean => {
      const lag = measureLag([rows[row]!], before);
      return lag === undefined ? maxStepsOffPolicy === 0 : lag.most === 0;
    };
    this.#guard.checkAnswered(stepRows, passed, made.step);
    checkPassNumbers(names, stepRows, passed, made.step);
    const gap = logprobGap(stepRows, passed, isFresh);
    this.#guard.noticeGap(gap, passed);
    refuseLogprobGap(gap, guards.maxLogprobGap, made.step);
    this.#sampler.check(gap, made.step);
    const stepped = await step.result({ signal });
    const told = { metrics: { ...passed.metrics, ...stepped.metrics } };
    checkStepNumbers(names, stepRows, passed, told, made.step);
    const fresh = stepRows.map((_, row) => isFresh(row));
    this.#guard.checkGradient(
      stepRows.filter((_, row) => fresh[row]),
      told,
      made.step,
    );
    const weights = await saved.result({ signal });
    const update = await this.#judge({ rows: stepRows, names, fresh }, weights, made.step);
    this.#weights = weights;
    return {
      weights,
      measures: { learningRate, klToBase: near.kl, klToTeacher: taught.kl, logprobGap: gap, update, ...told },
    };
  }

  async #judge(
    trained: Parameters<UpdateGuard['judge']>[0],
    after: WeightsRef,
    step: number,
  ): Promise<UpdateMeasures | undefined> {
    if (!this.#update.isDue(step)) return undefined;
    const { signal } = this.#settings;
    try {
      const weights = { before: this.#weights, after };
      const update = await this.#update.judge(trained, weights, { steps: this.#steps, step, signal });
      if (update !== undefined) this.#sampler.expect(update.change);
      return update;
    } catch (error) {
      // The step is made; what it did stays unknown.
      if (ArtError.isInstance(error) && error.code === 'ART_TRAIN_BUDGET_SPENT') return undefined;
      throw error;
    }
  }
}

/** The logprobs of weights of the service, or of a model elsewhere, with their costs counted. */
function scoring(steps: MeteredSteps, model: WeightsRef | Teacher): Teacher['logprobs'] {
  return isTeacher(model)
    ? (tokens, signal) => steps.teacherLogprobs(model, tokens, signal)
    : (tokens, signal) => steps.logprobs(tokens, model, signal);
}
