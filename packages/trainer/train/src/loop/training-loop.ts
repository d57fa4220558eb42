import { join, resolve } from 'node:path';
import { ArtError, type Clock, systemClock } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import { CheckpointFile, type Version, versionName } from '../checkpoints/checkpoint-file.ts';
import { KeptSaves } from '../checkpoints/kept-saves.ts';
import { resumePoint, tasksDigest } from '../checkpoints/resume-point.ts';
import { VersionEvaluations } from '../evaluation/version-evaluations.ts';
import { checkCaptured, checkRewards, SpreadGuard } from '../guards/check-step.ts';
import { outlastGateway } from '../rollouts/outlast-gateway.ts';
import type { SettledGroup } from '../rollouts/settled-groups.ts';
import { Leftovers, rolloutsRunId } from '../rollouts/leftovers.ts';
import { StartedRollouts } from '../rollouts/started-rollouts.ts';
import { StepGroups } from '../rollouts/step-groups.ts';
import { measureLag } from '../rows/measure-lag.ts';
import { toStepRow, trainedTokens } from '../rows/to-step-row.ts';
import { openRegistered, type RegisteredSteps, stopLeftSessions } from '../sessions/open-registered.ts';
import { SessionRegister } from '../sessions/session-register.ts';
import { MeteredSteps } from '../spending/metered-steps.ts';
import { Spending } from '../spending/spending.ts';
import type { StateRef, WeightsRef } from '../steps/index.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { TrainingEnd, TrainingStep } from '../run/training-step.ts';
import { MadeSteps } from './made-steps.ts';
import { type PassMeasures, StepPass } from './step-pass.ts';

/** As many versions are kept by services for calls that are on their way. */
const stepsOnTheWay = 4;

interface LoopParts {
  session: RegisteredSteps;
  checkpoints: CheckpointFile;
  kept: KeptSaves;
  evaluations: VersionEvaluations | undefined;
  rollouts: StartedRollouts;
  leftovers: Leftovers;
  spending: Spending;
  made: MadeSteps;
  weights: WeightsRef;
  /** The weights before the first step, where staying near them is worth something. */
  base: WeightsRef | undefined;
  step: number;
}

/** A run under way: its session, its rollouts, its evaluations. */
export class TrainingLoop {
  readonly #settings: TrainSettings;
  readonly #clock: Clock;
  readonly #parts: Omit<LoopParts, 'weights' | 'step'>;
  readonly #groups: StepGroups;
  readonly #pass: StepPass;
  readonly #spread: SpreadGuard;
  /** Acknowledge groups that no checkpoint has seen. Their rows are gone. */
  readonly #unacknowledged: (() => Promise<void>)[] = [];
  /** The kept weights that this process began with: calls that are on their way can name them for some steps. */
  readonly #first: { weights: string; until: number };
  #hasToldOfLostRows = false;
  #weights: WeightsRef;
  #step: number;

  private constructor(settings: TrainSettings, { weights, step, ...parts }: LoopParts) {
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#parts = parts;
    this.#weights = weights;
    this.#step = step;
    this.#first = { weights: weights.weights, until: step + stepsOnTheWay };
    this.#groups = new StepGroups(settings, parts.rollouts);
    this.#pass = new StepPass(settings, parts.session.steps, weights, parts.base);
    this.#spread = new SpreadGuard(settings.guards.maxStepsWithoutSpread, parts.made.withoutSpread);
    void parts.spending.reached.then(() => parts.rollouts.giveUp());
  }

  /**
   * Ends what an earlier process left, opens a session, loads the last state, and lets the first rollouts start.
   * @returns undefined where all steps were made before, or everything was spent
   */
  static async open(settings: TrainSettings): Promise<TrainingLoop | undefined> {
    const { service, register = new SessionRegister(), signal, evaluation, stopWhen, onNotice } = settings;
    const isPenalised = settings.klCoefficient > 0;
    const directory = resolve(settings.directory);
    const checkpoints = new CheckpointFile(join(directory, 'checkpoints.jsonl'));
    const resumed = resumePoint(checkpoints, settings);
    await stopLeftSessions(service, register, { directory, signal });
    const leftovers = await Leftovers.stop(settings);
    const spending = new Spending(directory, settings);
    const made = new MadeSteps(directory, resumed);
    const step = resumed?.step ?? 0;
    const evaluations =
      evaluation &&
      new VersionEvaluations({
        options: evaluation,
        stopWhen,
        directory,
        checkpoints,
        from: step,
        isSpent: () => spending.exceeded !== undefined,
        onNotice,
      });
    const isMade = step >= settings.steps;
    const over = isMade
      ? `All ${settings.steps} steps are made.`
      : (evaluations?.end?.message ?? spending.exceeded);
    if (over !== undefined) {
      onNotice(`The run in ${directory} was over: ${over} Give it more to go on.`);
      await leftovers.close();
      return undefined;
    }
    const openedAtMs = (settings.clock ?? systemClock).epochMs();
    const opened = await openRegistered(service, register, { directory, openedAtMs, signal });
    const steps = new MeteredSteps(opened.steps, spending);
    const session = { ...opened, steps };
    try {
      const kept = new KeptSaves({ steps, checkpoints, onNotice, signal });
      const version = { session: session.name, step };
      // Submitted together: the weights are those of the state.
      const loaded = resumed && steps.loadState({ state: resumed.state }, { optimizer: true });
      const saved =
        evaluation !== undefined || isPenalised
          ? kept.weights(version)
          : steps.saveForSampling(versionName(version), { keep: false }).result({ signal });
      saved.catch(() => undefined);
      await loaded?.result({ signal });
      const weights = await saved;
      const before = resumed === undefined ? weights : { weights: resumed.base! };
      await serve(settings, session, weights, step);
      // The weights are those of the process before, and so is their score.
      const origin = resumed === undefined ? version : { session: resumed.session, step };
      if (evaluations?.isDue(step) === true && !evaluations.hasBegun(origin)) {
        const state = resumed ?? (await kept.state(version));
        evaluations.begin(steps, { ...weights, state: state.state }, origin);
      }
      const from = resumed ?? { position: 0, trainedAhead: [] };
      const rollouts = new StartedRollouts(settings, rolloutsRunId(directory, openedAtMs), from);
      return new TrainingLoop(settings, {
        session,
        checkpoints,
        kept,
        evaluations,
        rollouts,
        leftovers,
        spending,
        made,
        weights,
        base: isPenalised ? before : undefined,
        step,
      });
    } catch (error) {
      await session.stop().catch(() => undefined);
      throw error;
    }
  }

  /** The next step. @throws what ends the run */
  async next(): Promise<TrainingStep> {
    const { guards } = this.#settings;
    const { rollouts, session } = this.#parts;
    const startedMs = this.#clock.nowMs();
    const { groups, taught, refilled } = await this.#groups.take();
    const takenMs = this.#clock.nowMs();
    if (groups.length === 0) return await this.#finish(nothing, { startedMs, takenMs });
    checkRewards(groups, guards.rewardRange);
    checkCaptured(groups);
    this.#spread.check(groups);
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
    await serve(this.#settings, session, this.#weights, version + 1);
    rollouts.noteTrained(done);
    for (const { acknowledge } of done) this.#unacknowledged.push(acknowledge);
    const staleRows = trainable.length - rows.length;
    return await this.#finish({ groups: done, refilled, rows, staleRows, measures }, { startedMs, takenMs });
  }

  /** The training session first: it is what costs. */
  async close(): Promise<void> {
    const { onNotice } = this.#settings;
    const { session, rollouts, evaluations, kept, leftovers } = this.#parts;
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
    { groups, refilled, rows, staleRows, measures }: TrainedGroups,
    { startedMs, takenMs }: { startedMs: number; takenMs: number },
  ): Promise<TrainingStep> {
    const { rollouts, evaluations, spending, made } = this.#parts;
    const version = this.#step;
    this.#step += 1;
    // Rollouts of a run that is about to end would be paid for and thrown away.
    if (this.#end() === undefined) rollouts.release(this.#settings.groupsPerStep);
    if (this.#end()?.reason !== 'budget') await this.#evaluateIfDue();

    const end = this.#end();
    const isCheckpoint = end !== undefined || this.#step % this.#settings.checkpointEverySteps === 0;
    const saved = isCheckpoint ? await this.#parts.kept.both(this.#version) : undefined;
    const rewards = groups.flatMap((group) => group.rewards);
    const reward = rewards.length === 0 ? undefined : meanOf(rewards);
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
      end,
    };
    if (saved !== undefined) await this.#checkpoint(saved, step);
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
    const { evaluations, kept, session } = this.#parts;
    if (evaluations?.isDue(this.#step) !== true) return;
    await evaluations.idle();
    evaluations.begin(session.steps, await kept.both(this.#version), this.#version);
  }

  async #measureLast(saved: WeightsRef & StateRef): Promise<void> {
    const { evaluations, session } = this.#parts;
    if (evaluations === undefined) return;
    await evaluations.idle();
    if (!evaluations.hasBegun(this.#version)) evaluations.begin(session.steps, saved, this.#version);
    await evaluations.idle();
  }

  get #version(): Version {
    return { session: this.#parts.session.name, step: this.#step };
  }

  #end(): TrainingEnd | undefined {
    const { steps, finishSignal } = this.#settings;
    const { evaluations, spending } = this.#parts;
    if (evaluations?.end !== undefined) return evaluations.end;
    const budget = spending.exceeded;
    if (budget !== undefined) return { reason: 'budget', message: budget };
    if (finishSignal?.aborted === true)
      return { reason: 'finished_early', message: `Ended after step ${this.#step}, as it was asked to.` };
    return this.#step >= steps ? { reason: 'steps', message: `All ${steps} steps are made.` } : undefined;
  }

  /** Writes the line that names the state, then lets the journal forget the rollouts. */
  async #checkpoint({ state, weights }: StateRef & WeightsRef, made: TrainingStep): Promise<void> {
    const { seed, tasks } = this.#settings;
    const { checkpoints, base, rollouts, kept, evaluations } = this.#parts;
    checkpoints.append({
      event: 'checkpoint',
      ...this.#version,
      state,
      weights,
      base: base?.weights,
      ...rollouts.trained,
      seed,
      tasksDigest: tasksDigest(tasks),
      made,
    });
    for (const acknowledge of this.#unacknowledged.splice(0)) await acknowledge();
    const first = this.#step < this.#first.until ? this.#first.weights : undefined;
    const { underWay } = evaluations ?? {};
    kept.prune([base?.weights, underWay?.weights, underWay?.state, first]);
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
  logprobGap: undefined,
  update: undefined,
  metrics: {},
};

/** A step that the budget cut. */
const nothing: TrainedGroups = { groups: [], refilled: 0, rows: [], staleRows: 0 };

async function serve(
  { policy, gateway, signal, clock }: TrainSettings,
  { steps }: RegisteredSteps,
  weights: WeightsRef,
  version: number,
): Promise<void> {
  policy.use(steps, weights, version);
  await outlastGateway(() => gateway.setWeightVersion(version, { signal }), { signal, clock });
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
