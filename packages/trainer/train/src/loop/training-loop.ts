import { plainMean } from '@art/eval/statistics';
import { ArtError, type Clock, systemClock } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import type { Version } from '../checkpoints/checkpoint-file.ts';
import { checkCaptured, checkRewards, SpreadGuard } from '../guards/check-step.ts';
import type { SettledGroup } from '../rollouts/settled-groups.ts';
import { StepGroups } from '../rollouts/step-groups.ts';
import { measureLag } from '../rows/measure-lag.ts';
import { toStepRow, trainedTokens } from '../rows/to-step-row.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { DrawnTask, TrainingEnd, TrainingStep } from '../run/training-step.ts';
import type { StateRef, WeightsRef } from '../steps/index.ts';
import { type OpenLoop, openLoop } from './open-loop.ts';
import { RunCheckpoints } from './run-checkpoints.ts';
import { serveVersion } from './serve-version.ts';
import { type PassMeasures, StepPass } from './step-pass.ts';

/** A run under way: its session, its rollouts, its evaluations. */
export class TrainingLoop {
  readonly #settings: TrainSettings;
  readonly #clock: Clock;
  readonly #run: OpenLoop;
  readonly #groups: StepGroups;
  readonly #pass: StepPass;
  readonly #spread: SpreadGuard;
  readonly #checkpoints: RunCheckpoints;
  #hasToldOfLostRows = false;
  #weights: WeightsRef;
  #step: number;

  private constructor(settings: TrainSettings, run: OpenLoop) {
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#run = run;
    this.#weights = run.weights;
    this.#step = run.step;
    this.#groups = new StepGroups(settings, run.rollouts);
    this.#pass = new StepPass(settings, run);
    this.#spread = new SpreadGuard(settings.guards.maxStepsWithoutSpread, run.made.withoutSpread);
    this.#checkpoints = new RunCheckpoints(settings, run);
    void run.spending.reached.then(() => run.rollouts.giveUp());
  }

  /** @returns undefined where all steps were made before, or everything was spent */
  static async open(settings: TrainSettings): Promise<TrainingLoop | undefined> {
    const run = await openLoop(settings);
    return run && new TrainingLoop(settings, run);
  }

  /** The next step. @throws what ends the run */
  async next(): Promise<TrainingStep> {
    const { guards, teacher } = this.#settings;
    const { session } = this.#run;
    const startedMs = this.#clock.nowMs();
    const { groups, taught, refilled } = await this.#groups.take();
    const takenMs = this.#clock.nowMs();
    if (groups.length === 0) return await this.#finish(nothing, { startedMs, takenMs });
    checkRewards(groups, guards.rewardRange);
    checkCaptured(groups);
    // A teacher says something of every answer.
    if (teacher === undefined) this.#spread.check(groups);
    this.#tellLostRows(groups);

    const trainable = taught.flatMap(({ rows: own }) => own);
    const done = groups.filter((group) => !this.#groups.waits(group));
    const version = this.#step;
    const rows = trainable.filter((row) => !this.#isStale(row, version));
    let measures: PassMeasures | undefined;
    if (rows.length > 0) {
      try {
        const made = { session: session.name, step: version + 1 };
        const passed = await this.#pass.make(rows, version, made);
        this.#weights = passed.weights;
        measures = passed.measures;
      } catch (error) {
        // Nothing was trained: the groups are taken again where the run is given more.
        if (!ArtError.isInstance(error) || error.code !== 'ART_TRAIN_BUDGET_SPENT') throw error;
        return await this.#finish(nothing, { startedMs, takenMs });
      }
    }
    await serveVersion(this.#settings, session.steps, this.#weights, version + 1);
    const drawn = this.#checkpoints.cover(done);
    const staleRows = trainable.length - rows.length;
    return await this.#finish(
      { groups: done, drawn, refilled, rows, staleRows, measures },
      { startedMs, takenMs },
    );
  }

  /** The training session first: it is what costs. */
  async close(): Promise<void> {
    const { onNotice } = this.#settings;
    const { session, rollouts, evaluations, kept, leftovers } = this.#run;
    await kept.idle();
    const stopped = session.stop().catch((error: unknown) => {
      onNotice(
        `Training session ${session.name} could not be stopped, and may cost money until it is: ${(error as Error).message}`,
      );
    });
    await Promise.all([stopped, rollouts.close(), evaluations?.close()]);
    await leftovers.close();
  }

  /** Does all that follows a pass: room for the next rollouts, a measurement, a checkpoint, and the line of the step. */
  async #finish(
    { groups, drawn, refilled, rows, staleRows, measures }: TrainedGroups,
    { startedMs, takenMs }: { startedMs: number; takenMs: number },
  ): Promise<TrainingStep> {
    const { rollouts, evaluations, spending, made } = this.#run;
    const version = this.#step;
    this.#step += 1;
    // Rollouts of a run that is about to end would be paid for and thrown away.
    if (!this.#isOver) rollouts.release(this.#settings.groupsPerStep);
    if (this.#end?.reason !== 'budget') await this.#evaluateIfDue();

    const end = this.#end;
    const isCheckpoint = this.#isOver || this.#step % this.#settings.checkpointEverySteps === 0;
    const saved = isCheckpoint ? await this.#run.kept.both(this.#version) : undefined;
    const rewards = groups.flatMap((group) => group.rewards);
    const reward = rewards.length === 0 ? undefined : plainMean(rewards);
    const count = (kind: SettledGroup['kind']): number =>
      groups.filter((group) => group.kind === kind).length;
    const step: TrainingStep = {
      step: this.#step,
      reward,
      rewardOfTen: made.rewardOfTen(reward),
      rollouts: rewards.length,
      withoutRows: groups.reduce((sum, { withoutRows }) => sum + withoutRows, 0),
      groups: {
        trained: count('trains'),
        withoutSpread: count('no_spread'),
        failed: count('failed'),
        refilled,
      },
      drawn,
      rows: rows.length,
      staleRows,
      trainedTokens: trainedTokens(rows.map(toStepRow)),
      lag: measureLag(rows, version),
      ...(measures ?? unmeasured),
      spent: spending.total,
      rolloutMs: takenMs - startedMs,
      trainMs: this.#clock.nowMs() - takenMs,
      evaluations: evaluations?.take() ?? [],
      isCheckpoint,
      goesBackTo: end === undefined ? evaluations?.goesBackTo : undefined,
      end,
    };
    if (saved !== undefined) await this.#checkpoints.write(this.#version, saved, step);
    if (end?.reason === 'steps') await this.#measureLast(saved!);
    const measured = evaluations?.take() ?? [];
    const finished = {
      ...step,
      evaluations: [...step.evaluations, ...measured],
      spent: spending.total,
    };
    made.append(finished);
    return finished;
  }

  /** Beside the next rollouts, and one at a time: scores that come late would end a run late. */
  async #evaluateIfDue(): Promise<void> {
    const { evaluations, kept, session } = this.#run;
    if (evaluations?.isDue(this.#step) !== true) return;
    await evaluations.idle();
    evaluations.begin(session.steps, await kept.both(this.#version), this.#version);
  }

  async #measureLast(saved: WeightsRef & StateRef): Promise<void> {
    const { evaluations, session } = this.#run;
    if (evaluations === undefined) return;
    await evaluations.idle();
    if (!evaluations.hasBegun(this.#version)) evaluations.begin(session.steps, saved, this.#version);
    await evaluations.idle();
  }

  get #version(): Version {
    return { session: this.#run.session.name, step: this.#step };
  }

  /** True if this process makes no further step with this session. */
  get #isOver(): boolean {
    return this.#end !== undefined || this.#run.evaluations?.goesBackTo !== undefined;
  }

  get #end(): TrainingEnd | undefined {
    const { steps, finishSignal } = this.#settings;
    const { evaluations, spending } = this.#run;
    if (evaluations?.end !== undefined) return evaluations.end;
    const budget = spending.exceeded;
    if (budget !== undefined) return { reason: 'budget', message: budget };
    if (finishSignal?.aborted === true)
      return { reason: 'finished_early', message: `Ended after step ${this.#step}, as it was asked to.` };
    return this.#step >= steps ? { reason: 'steps', message: `All ${steps} steps are made.` } : undefined;
  }

  #isStale(row: TrainingRow, version: number): boolean {
    const { maxVersionLag } = this.#settings;
    if (maxVersionLag === undefined) return false;
    const lag = measureLag([row], version);
    return lag === undefined || lag.most > maxVersionLag;
  }

  /** Once: a capture that loses numbers does so again. */
  #tellLostRows(groups: readonly SettledGroup[]): void {
    const problem = groups.find((group) => group.problem !== undefined)?.problem;
    if (problem === undefined || this.#hasToldOfLostRows) return;
    this.#hasToldOfLostRows = true;
    this.#settings.onNotice(
      `${problem} Such rows are left out; "withoutRows" of a step counts their rollouts.`,
    );
  }
}

interface TrainedGroups {
  groups: readonly SettledGroup[];
  drawn: readonly DrawnTask[];
  /** How many of them came in place of others. */
  refilled: number;
  /** The rows that trained. */
  rows: readonly TrainingRow[];
  /** Rows that were too old. */
  staleRows: number;
  measures?: PassMeasures | undefined;
}

const unmeasured: PassMeasures = {
  learningRate: undefined,
  klToBase: undefined,
  klToTeacher: undefined,
  logprobGap: undefined,
  update: undefined,
  metrics: {},
};

/** A step that the budget cut. */
const nothing: TrainedGroups = { groups: [], drawn: [], refilled: 0, rows: [], staleRows: 0 };
