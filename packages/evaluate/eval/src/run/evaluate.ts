import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuseOption } from '@art/ground';
import { newRunId } from '@art/journal';
import { openGoal } from '../goal/open-goal.ts';
import { runPath } from '../records/run-folder.ts';
import { readRunRecord } from '../records/run-record.ts';
import { leastPasses, type TaskReduction } from '../statistics/reduce-scores.ts';
import { selectTasks } from '../tasks/task-selection.ts';
import { openTasks, type TaskSource } from '../tasks/task-source.ts';
import type { EvalRun } from './eval-run.ts';
import { checkEvaluateOptions, type EvaluateOptions } from './evaluate-options.ts';
import { counted, evaluateTasks } from './evaluate-tasks.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import { defaultConcurrency } from './evaluation.ts';
import { openBudget } from './open-budget.ts';

/**
 * Runs an agent on tasks, judges what it did, and writes everything down. Call it again with the same folder to continue with a run that
 * was broken off, or to add samples: what was judged is not run again, samples whose infrastructure failed are run again.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_JOURNAL_PAYLOADS_CHANGED`, `ART_FOLDER_HELD` before anything is
 *   sent; `ART_TOO_MANY_FAILURES` where the agent does not start at all; the signal's reason when it aborts
 */
export async function evaluate(options: EvaluateOptions): Promise<EvalRun> {
  checkEvaluateOptions(options);
  options.signal?.throwIfAborted();
  const agent = agentOf(options.agent);
  const folder = options.folder ?? join('.art', 'evals', newRunId());
  const given = await openGivenTasks(options);
  const run = await reductionOf(options, folder);
  const concurrency = options.concurrency ?? defaultConcurrency;
  const goal = await openGoal({ ...options, run, concurrency }, given);
  const budget = await openBudget(options, agent, folder);
  const watch = goal?.watch;
  return counted(agent, budget, () =>
    evaluateTasks(options, {
      agent,
      folder,
      tasks: goal?.tasks ?? given,
      budget,
      goal: watch,
      answer: ({ cost }) => watch?.result(cost?.perSample.median ?? null) ?? null,
    }),
  );
}

export function agentOf(agent: EvaluateOptions['agent']): EvaluatedAgent {
  return 'client' in agent ? agent : { client: agent };
}

/** The tasks that the options choose. */
export async function openGivenTasks({
  tasks,
  limit,
  select,
  seed = 0,
  data,
}: Pick<EvaluateOptions, 'tasks' | 'limit' | 'select' | 'seed' | 'data'>): Promise<TaskSource> {
  return openTasks(tasks, limit, select && (await selectTasks(select, seed)), data);
}

/**
 * Reads how the samples of a task make its score. A run that continues keeps what is not given again.
 * @throws ArtError `ART_INVALID_OPTION` where a task has fewer samples than are to pass
 */
export async function reductionOf(
  options: Pick<EvaluateOptions, 'samples' | 'passReward' | 'reduce'>,
  folder: string,
): Promise<TaskReduction> {
  const before = existsSync(runPath(folder, 'run')) ? await readRunRecord(folder) : undefined;
  const { samples = before?.samples ?? 1, passReward = before?.passReward ?? 1 } = options;
  const { reduce = before?.reduce } = options;
  const least = leastPasses(reduce);
  if (least !== undefined && least > samples)
    refuseOption('reduce', `at-least of no more than the ${samples} samples of a task`, reduce);
  return { reduce, passReward, samples };
}
