import { appendFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Clock, systemClock, makeDirectory } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import { CheckpointFile } from '../checkpoints/checkpoint-file.ts';
import { resumePoint, tasksDigest } from '../checkpoints/resume-point.ts';
import { VersionEvaluations } from '../evaluation/version-evaluations.ts';
import {
  checkCaptured,
  refuseLogprobGap,
  checkRewards,
  logprobGap,
  SpreadGuard,
} from '../guards/check-step.ts';
import { PassGuard } from '../guards/pass-guard.ts';
import { outlastGateway } from '../rollouts/outlast-gateway.ts';
import type { SettledGroup } from '../rollouts/settled-groups.ts';
import { rolloutsRunId, StartedRollouts, stopLeftovers } from '../rollouts/started-rollouts.ts';
import { averageLoss } from '../rows/average-loss.ts';
import { addKlPenalty } from '../rows/kl-penalty.ts';
import { measureLag } from '../rows/measure-lag.ts';
import { toStepRow, trainedTokens } from '../rows/to-step-row.ts';
import { openRegistered, type RegisteredSteps, stopLeftSessions } from '../sessions/open-registered.ts';
import { SessionRegister } from '../sessions/session-register.ts';
import type { WeightsRef } from '../steps/index.ts';
import { Spending } from './spending.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { TrainingEnd, TrainingStep } from '../run/training-step.ts';

/** The measurements of a pass over rows. */
interface Trained {
  klToBase: number | undefined;
  logprobGap: number | undefined;
  metrics: Readonly<Record<string, number>>;
}

/** A run under way: its session, its rollouts, its evaluations. */
export class TrainingLoop {
  readonly #settings: TrainSettings;
  readonly #clock: Clock;
  readonly #directory: string;
  readonly #session: RegisteredSteps;
  readonly #checkpoints: CheckpointFile;
  readonly #rollouts: StartedRollouts;
  readonly #evaluations: VersionEvaluations | undefined;
  readonly #spending: Spending;
  readonly #spread: SpreadGuard;
  readonly #pass: PassGuard;
  readonly #rewards: number[] = [];
  /** Groups that no checkpoint has seen. */
  readonly #unacknowledged: SettledGroup[] = [];
  /** The weights before the first step, where staying near them is worth something. */
  readonly #base: WeightsRef | undefined;
  #weights: WeightsRef;
  #step: number;

  private constructor(
    settings: TrainSettings,
    parts: {
      directory: string;
      session: RegisteredSteps;
      checkpoints: CheckpointFile;
      evaluations: VersionEvaluations | undefined;
      rollouts: StartedRollouts;
      spending: Spending;
      weights: WeightsRef;
      base: WeightsRef | undefined;
      step: number;
    },
  ) {
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#directory = parts.directory;
    this.#session = parts.session;
    this.#checkpoints = parts.checkpoints;
    this.#evaluations = parts.evaluations;
    this.#rollouts = parts.rollouts;
    this.#weights = parts.weights;
    this.#base = parts.base;
    this.#step = parts.step;
    this.#spending = parts.spending;
    this.#spread = new SpreadGuard(settings.guards.maxStepsWithoutSpread);
    this.#pass = new PassGuard(settings.onNotice);
  }

  /**
   * Ends what an earlier process left, opens a session, loads the last state, and lets the first rollouts start.
   * @returns undefined where all steps were made before, or everything was spent
   */
  static async open(settings: TrainSettings): Promise<TrainingLoop | undefined> {
    const { service, register = new SessionRegister(), signal, evaluation, stopWhen, onNotice } = settings;
    const isPenalised = settings.klCoefficient > 0;
    const directory = resolve(settings.directory);
    await makeDirectory(directory);
    const checkpoints = new CheckpointFile(join(directory, 'checkpoints.jsonl'));
    const resumed = resumePoint(checkpoints, settings);
    await stopLeftSessions(service, register, { directory, signal });
    await stopLeftovers(settings);
    const spending = new Spending(directory, settings);
    const isMade = (resumed?.step ?? 0) >= settings.steps;
    const over = isMade ? `All ${settings.steps} steps are made.` : spending.exceeded(stopWhen);
    if (over !== undefined) {
      onNotice(`The run in ${directory} was over: ${over} Give it more to go on.`);
      return undefined;
    }
    const openedAtMs = (settings.clock ?? systemClock).epochMs();
    const session = await openRegistered(service, register, { directory, openedAtMs, signal });
    try {
      const { steps } = session;
      const step = resumed?.step ?? 0;
      // Submitted together: the weights are those of the state.
      const loaded = resumed && steps.loadState({ state: resumed.state }, { optimizer: true });
      const saved = steps.saveForSampling(`step-${step}`, { keep: evaluation !== undefined || isPenalised });
      await loaded?.result({ signal });
      const weights = await saved.result({ signal });
      const before = resumed === undefined ? weights : { weights: resumed.base! };
      const evaluations =
        evaluation &&
        new VersionEvaluations({ options: evaluation, stopWhen, directory, checkpoints, onNotice });
      await serve(settings, session, weights, step);
      if (evaluations?.isDue(step) === true) evaluations.begin(steps, weights, step);
      const from = resumed ?? { position: 0, trainedAhead: [] };
      const rollouts = new StartedRollouts(settings, rolloutsRunId(directory, openedAtMs), from);
      return new TrainingLoop(settings, {
        directory,
        session,
        checkpoints,
        evaluations,
        rollouts,
        spending,
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
    const { groupsPerStep, guards } = this.#settings;
    const startedMs = this.#clock.nowMs();
    const groups = await this.#rollouts.take(groupsPerStep);
    const takenMs = this.#clock.nowMs();
    checkRewards(groups, guards.rewardRange);
    checkCaptured(groups);
    this.#spread.check(groups);

    // Without spread all advantages are 0, unless staying near the base model is worth something.
    const rows = groups.flatMap(({ kind, rows: own }) =>
      kind === 'trains' || (kind === 'no_spread' && this.#settings.klCoefficient > 0) ? own : [],
    );
    const version = this.#step;
    this.#step += 1;
    const trained = await this.#train(rows, version);
    await serve(this.#settings, this.#session, this.#weights, this.#step);
    this.#rollouts.noteTrained(groups);
    this.#unacknowledged.push(...groups);
    // Rollouts of a run that is about to end would be paid for and thrown away.
    if (this.#end() === undefined) this.#rollouts.release(groups.length);
    await this.#evaluateIfDue();

    const end = this.#end();
    const isCheckpoint = end !== undefined || this.#step % this.#settings.checkpointEverySteps === 0;
    if (isCheckpoint) await this.#checkpoint(end);
    const rewards = groups.flatMap((group) => group.rewards);
    const reward = rewards.length === 0 ? undefined : meanOf(rewards);
    if (reward !== undefined) this.#rewards.push(reward);
    const count = (kind: SettledGroup['kind']): number =>
      groups.filter((group) => group.kind === kind).length;
    const step: TrainingStep = {
      step: this.#step,
      reward,
      rewardOfTen: this.#rewards.length === 0 ? undefined : meanOf(this.#rewards.slice(-10)),
      rollouts: rewards.length,
      withoutRows: groups.reduce((sum, { withoutRows }) => sum + withoutRows, 0),
      groups: { trained: count('trains'), withoutSpread: count('no_spread'), failed: count('failed') },
      rows: rows.length,
      trainedTokens: trainedTokens(rows.map(toStepRow)),
      lag: measureLag(rows, version),
      ...trained,
      spent: this.#spending.total,
      rolloutMs: takenMs - startedMs,
      trainMs: this.#clock.nowMs() - takenMs,
      evaluations: this.#evaluations?.take() ?? [],
      isCheckpoint,
      end,
    };
    appendFileSync(join(this.#directory, 'metrics.jsonl'), `${JSON.stringify(step)}\n`);
    return step;
  }

  /** The training session first: it is what costs. */
  async close(): Promise<void> {
    const { onNotice } = this.#settings;
    const stopped = this.#session.stop().catch((error: unknown) => {
      onNotice(
        `Training session ${this.#session.name} could not be stopped, and may cost money until it is: ${(error as Error).message}`,
      );
    });
    await Promise.all([stopped, this.#rollouts.close(), this.#evaluations?.close()]);
  }

  async #train(rows: readonly TrainingRow[], version: number): Promise<Trained> {
    const { loss, average, klCoefficient, adam, guards, signal, maxStepsOffPolicy } = this.#settings;
    if (rows.length === 0) return { klToBase: undefined, logprobGap: undefined, metrics: {} };
    const { steps } = this.#session;
    const { rows: rewarded, klToBase } = await addKlPenalty(
      rows.map(toStepRow),
      klCoefficient,
      steps,
      this.#base,
      signal,
    );
    const stepRows = averageLoss(rewarded, average, loss);
    this.#spending.addTrained(stepRows.reduce((sum, { tokens }) => sum + tokens.length, 0));
    // All are submitted before the first is awaited: a service that works in turns does them in one.
    const pass = steps.forwardBackward(stepRows, loss);
    const step = steps.optimStep(adam);
    const saved = steps.saveForSampling(`step-${this.#step}`, { keep: false });
    const passed = await pass.result({ signal });
    const isFresh = (row: number): boolean => {
      const lag = measureLag([rows[row]!], version);
      return lag === undefined ? maxStepsOffPolicy === 0 : lag.most === 0;
    };
    this.#pass.checkAnswered(stepRows, passed, this.#step);
    const gap = logprobGap(stepRows, passed, isFresh);
    this.#pass.noticeGap(gap, passed);
    refuseLogprobGap(gap, guards.maxLogprobGap, this.#step);
    const { metrics } = await step.result({ signal });
    const told = { metrics: { ...passed.metrics, ...metrics } };
    const fresh = stepRows.filter((_, row) => isFresh(row));
    this.#pass.checkGradient(fresh, told, this.#step);
    this.#weights = await saved.result({ signal });
    return { klToBase, logprobGap: gap, ...told };
  }

  /** Beside the next rollouts, and one at a time: scores that come late would end a run late. */
  async #evaluateIfDue(): Promise<void> {
    if (this.#evaluations?.isDue(this.#step) !== true) return;
    await this.#evaluations.idle();
    const { steps } = this.#session;
    const kept = steps.saveForSampling(`step-${this.#step}`, { keep: true });
    this.#evaluations.begin(steps, await kept.result({ signal: this.#settings.signal }), this.#step);
  }

  #end(): TrainingEnd | undefined {
    const { steps, finishSignal, stopWhen } = this.#settings;
    if (this.#evaluations?.end !== undefined) return this.#evaluations.end;
    const budget = this.#spending.exceeded(stopWhen);
    if (budget !== undefined) return { reason: 'budget', message: budget };
    if (finishSignal?.aborted === true)
      return { reason: 'finished_early', message: `Ended after step ${this.#step}, as it was asked to.` };
    return this.#step >= steps ? { reason: 'steps', message: `All ${steps} steps are made.` } : undefined;
  }

  /** Stores the state, then the line that names it, then lets the journal forget the rollouts. */
  async #checkpoint(end: TrainingEnd | undefined): Promise<void> {
    const { seed, tasks, signal } = this.#settings;
    const { steps } = this.#session;
    const name = `step-${this.#step}`;
    const saved = steps.saveState(name);
    const kept = steps.saveForSampling(name, { keep: true });
    const { state } = await saved.result({ signal });
    const weights = await kept.result({ signal });
    this.#checkpoints.append({
      event: 'checkpoint',
      step: this.#step,
      state,
      weights: weights.weights,
      base: this.#base?.weights,
      ...this.#rollouts.trained,
      seed,
      tasksDigest: tasksDigest(tasks),
    });
    for (const group of this.#unacknowledged.splice(0)) await group.acknowledge();
    if (this.#evaluations === undefined || end === undefined) return;
    if (end.reason === 'steps' && this.#evaluations.measured !== this.#step)
      this.#evaluations.begin(steps, weights, this.#step);
    if (end.reason === 'steps') await this.#evaluations.idle();
  }
}

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
