import { readdir } from 'node:fs/promises';
import { newRunId } from '@art/journal';
import { ArtError, type JsonObject, makeDirectory } from '@art/ground';
import type { Ceiling } from '@art/protocol';
import { runFiles } from '../records/run-folder.ts';
import { readRunRecord, type RunRecord, writeRunRecord } from '../records/run-record.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import { comparedTasks } from './compared-tasks.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import { givenInputs, nameOfJudge, recordedInputs, refuseOtherInputs, withoutSecrets } from './run-inputs.ts';
import { readSamples } from '../records/read-samples.ts';
import { gitState } from './git-state.ts';
import { thisProcess } from './this-process.ts';

/**
 * Makes the folder of a run, or takes up the run that is in it. What a run is judged by stays as it began; a larger number of samples
 * adds samples.
 * @throws ArtError `ART_INVALID_OPTION` for a folder with other things in it, and fewer samples than before;
 *   `ART_JOURNAL_PAYLOADS_CHANGED` for tasks that were changed, by their ids
 */
export async function openEvalRun(
  folder: string,
  options: EvaluateOptions,
  agent: EvaluatedAgent,
  tasks: TaskSource,
  sampleCeiling?: Ceiling,
): Promise<RunRecord> {
  await makeDirectory(folder, 0o700);
  const known = await readdir(folder);
  const record = known.includes(runFiles.run)
    ? await goneOnWith(await readRunRecord(folder), folder, options, agent, tasks)
    : await newRun(folder, known, options, agent, tasks, sampleCeiling);
  record.processes.push(thisProcess());
  await writeRunRecord(folder, record);
  return record;
}

async function goneOnWith(
  record: RunRecord,
  folder: string,
  options: EvaluateOptions,
  agent: EvaluatedAgent,
  tasks: TaskSource,
): Promise<RunRecord> {
  const samples = options.samples ?? record.samples;
  if (samples < record.samples) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected at least the ${record.samples} samples of the run in ${folder}, got ${samples}. More samples are added to a run; fewer need a new one.`,
    });
  }
  refuseOtherInputs('run', folder, recordedInputs(record), givenInputs(options, agent));
  const judge = nameOfJudge(options.reward);
  if (record.judge !== undefined && judge !== record.judge)
    await refuseOtherJudge(folder, record.judge, judge);
  const maxFailures = options.maxFailures === undefined ? record.maxFailures : countable(options.maxFailures);
  return { ...record, judge, samples, maxFailures, tasks: await comparedTasks(folder, record, tasks) };
}

async function newRun(
  folder: string,
  known: readonly string[],
  options: EvaluateOptions,
  agent: EvaluatedAgent,
  tasks: TaskSource,
  sampleCeiling: Ceiling | undefined,
): Promise<RunRecord> {
  if (known.includes(runFiles.samples)) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected a new folder, or one of an evaluation; ${folder} has samples and no ${runFiles.run}.`,
    });
  }
  const { baseUrl, modelId } = agent.model ?? {};
  const { concurrency = null, timeoutMs = null, limit = null, retry = null } = options;
  return {
    schema: 'art.run.v1',
    runId: newRunId(),
    name: options.name ?? null,
    createdAtMs: Date.now(),
    agent: agent.name ?? 'agent',
    model: { baseUrl: baseUrl === undefined ? null : withoutSecrets(baseUrl), modelId: modelId ?? null },
    ...(agent.settings !== undefined && { settings: agent.settings }),
    judge: nameOfJudge(options.reward),
    selectedBy: await selectors(options.select?.failedIn),
    tasks: {
      source: tasks.name,
      count: tasks.count ?? null,
      digest: tasks.digest ?? null,
      ...(tasks.sha256 !== undefined && { sha256: tasks.sha256 }),
    },
    samples: options.samples ?? 1,
    seed: options.seed ?? 0,
    passReward: options.passReward ?? 1,
    ...(options.reduce !== undefined && options.reduce !== 'mean' && { reduce: options.reduce }),
    failureReward: options.failureReward === undefined ? 0 : options.failureReward,
    maxFailures: countable(options.maxFailures ?? 0.1),
    options: {
      ...options.notes,
      concurrency,
      timeoutMs,
      limit,
      ...(options.data !== undefined && { data: options.data as JsonObject }),
      ...(options.select !== undefined && { select: options.select as JsonObject }),
      retry: retry as JsonObject | null,
      prompts: options.prompts === undefined ? null : { ...options.prompts },
      sampleCeiling: { ...(sampleCeiling as JsonObject) },
    },
    git: await gitState(process.cwd()),
    prices: options.prices ?? null,
    rescoredFrom: null,
    processes: [],
  };
}

/** JSON has no infinity. */
function countable(maxFailures: number): number {
  return Math.min(maxFailures, Number.MAX_SAFE_INTEGER);
}

/** A judge that failed everywhere may be mended; rewards of two judges make no mean. */
async function refuseOtherJudge(folder: string, was: string | null, is: string | null): Promise<void> {
  for await (const { record } of readSamples(folder)) {
    if (record.rewardedBy === null || (record.judge ?? null) === is) continue;
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected the judge of the run in ${folder}, ${was ?? "the agent's own rewards"}, got ${is ?? "the agent's own rewards"}. Rewards of two judges make no mean: judge all samples again with "art rescore", or begin a new run.`,
    });
  }
}

async function selectors(failedIn: string | undefined): Promise<string[]> {
  if (failedIn === undefined) return [];
  const { runId, rescoredIds = [], selectedBy = [] } = await readRunRecord(failedIn);
  return [runId, ...rescoredIds, ...selectedBy];
}
