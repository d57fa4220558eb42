import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type EvaluatedAgent, givenInputs, nameOfJudge, openBudget, type RunInputs } from '@art/eval';
import { holdFolder } from '@art/ground';
import { type ImproveOptions, readImproveOptions } from './improve-options.ts';
import { evaluationsFolder } from './evaluation-names.ts';
import { openImproveFolder } from './improve-record.ts';
import { type Improvement, ImproveRun } from './improve-run.ts';
import { IterationLog } from './iteration-record.ts';
import { checkBudget, RolloutBudget } from './rollout-budget.ts';
import { splitTasks } from './split-tasks.ts';
import { reflectBy } from '../reflect/reflect.ts';

/**
 * Searches better prompts for an agent by reflective prompt evolution: GEPA of Agrawal and others (2025), arXiv 2507.19457, with the
 * defaults of its reference implementation, without merging. A model reads what the agent did with a minibatch of tasks, and rewrites
 * one of its prompts; what does better on the minibatch is measured on all validation tasks, and from then on can be rewritten itself.
 * The agent reads its prompts by `context.prompt`. Call it again with the same folder to continue with a search that was broken off, or to
 * spend a larger budget.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_FOLDER_HELD` where another process works on the search, before
 *   anything is sent; `ART_NO_PROMPTS`, `ART_PROMPT_VARIES`,
 *   `ART_NOT_JUDGED` after the first rollouts; `ART_RUN_CEILING_REACHED`, after which it can be gone on with; `ART_REFLECTION_FAILED`; what `evaluate` throws; the signal's reason when it aborts
 */
export async function improve(options: ImproveOptions): Promise<Improvement> {
  const read = readImproveOptions(options);
  const { folder, seed, minibatch, passReward, budget: total } = read;
  read.signal?.throwIfAborted();
  const reflect = reflectBy(read.reflect);
  const tasks = await splitTasks(read, seed);
  const agent = 'client' in read.agent ? read.agent : { client: read.agent };
  const { training, validation, heldOut, digest } = tasks;
  const least = 2 * (validation.length + minibatch);
  checkBudget(total, heldOut.length, least);
  const evaluations = await readdir(join(folder, evaluationsFolder)).catch(() => []);
  const earlier = evaluations.map((name) => join(folder, evaluationsFolder, name));
  const spending = await openBudget(read, agent, folder, earlier);
  await using _ = await holdFolder(folder, { what: `the search in ${folder}` });
  const budget = await RolloutBudget.open(folder, total, heldOut.length);
  await openImproveFolder(folder, {
    schema: 'art.improve.v1',
    createdAtMs: Date.now(),
    seed,
    minibatch,
    passReward,
    failureReward: read.failureReward === undefined ? 0 : read.failureReward,
    tasks: { training: idsOf(training), validation: idsOf(validation), heldOut: idsOf(heldOut), digest },
    inputs: inputsOf(read, agent),
    notes: read.notes ?? {},
  });
  await using log = await IterationLog.open(folder);
  return await new ImproveRun({ options: read, tasks, budget, spending, log, reflect }).run();
}

/** All of them, so that one that is given later differs from one that was left out. */
function inputsOf(options: ReturnType<typeof readImproveOptions>, agent: EvaluatedAgent): RunInputs {
  const { settings, ...inputs } = givenInputs(options, agent);
  const whole = Object.entries({ ...inputs, judge: nameOfJudge(options.reward) });
  return { ...Object.fromEntries(whole.map(([name, value]) => [name, value ?? null])), settings };
}

function idsOf(tasks: readonly { id: string }[]): string[] {
  return tasks.map(({ id }) => id);
}
