import { join, resolve } from 'node:path';
import { systemClock } from '@art/ground';
import { CheckpointFile, versionName } from '../checkpoints/checkpoint-file.ts';
import { KeptSaves } from '../checkpoints/kept-saves.ts';
import { resumePoint } from '../checkpoints/resume-point.ts';
import { VersionEvaluations } from '../evaluation/version-evaluations.ts';
import { Leftovers, rolloutsRunId } from '../rollouts/leftovers.ts';
import { StartedRollouts } from '../rollouts/started-rollouts.ts';
import type { TrainSettings } from '../run/train-options.ts';
import { openRegistered, type RegisteredSteps, stopLeftSessions } from '../sessions/open-registered.ts';
import { SessionRegister } from '../sessions/session-register.ts';
import { MeteredSteps } from '../spending/metered-steps.ts';
import { Spending } from '../spending/spending.ts';
import type { WeightsRef } from '../steps/index.ts';
import { MadeSteps } from './made-steps.ts';
import { serveVersion } from './serve-version.ts';

/** A run that is open: what it works with, and where it is. */
export interface OpenLoop {
  session: RegisteredSteps & { steps: MeteredSteps };
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
  /** Optimizer steps that the weights have had. */
  step: number;
}

/**
 * Ends what an earlier process left, opens a session, loads the last state, and lets the first rollouts start.
 * @returns undefined where all steps were made before, or everything was spent
 */
export async function openLoop(settings: TrainSettings): Promise<OpenLoop | undefined> {
  const { service, register = new SessionRegister(), signal, evaluation, onNotice } = settings;
  const isPenalised = settings.klCoefficient > 0;
  const directory = resolve(settings.directory);
  const checkpoints = new CheckpointFile(join(directory, 'checkpoints.jsonl'));
  const resumed = resumePoint(checkpoints, settings);
  await stopLeftSessions(service, register, { directory, signal });
  if (resumed?.wentBack !== undefined) checkpoints.append(resumed);
  const leftovers = await Leftovers.stop(settings);
  const spending = new Spending(directory, settings);
  const made = new MadeSteps(directory, resumed);
  const step = resumed?.step ?? 0;
  const evaluations =
    evaluation &&
    new VersionEvaluations({
      ...settings,
      options: evaluation,
      directory,
      checkpoints,
      from: step,
      isSpent: () => spending.exceeded !== undefined,
    });
  const isMade = step >= settings.steps;
  const over = isMade
    ? `All ${settings.steps} steps are made.`
    : (evaluations?.end?.message ?? spending.exceeded);
  if (over !== undefined) {
    onNotice(`The run in ${directory} was over: ${over} Give it more to continue.`);
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
    await serveVersion(settings, steps, weights, step);
    // The weights are those of the process before, and so is their score.
    const origin = resumed === undefined ? version : { session: resumed.session, step };
    if (evaluations?.isDue(step) === true && !evaluations.hasBegun(origin)) {
      const state = resumed ?? (await kept.state(version));
      evaluations.begin(steps, { ...weights, state: state.state }, origin);
    }
    const from = resumed ?? { position: 0, trainedAhead: [] };
    const rollouts = new StartedRollouts(settings, rolloutsRunId(directory, openedAtMs), from, made.drawn);
    return {
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
    };
  } catch (error) {
    await session.stop().catch(() => undefined);
    throw error;
  }
}
