import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type EvalRun,
  evaluate,
  markdownSummary,
  planRun,
  type RunPlan,
  type TaskSelection,
  type ThresholdVerdict,
  writeJunitXml,
} from '@art/eval';
import { readRunRecord } from '@art/eval/records';
import { SilentStart } from '@art/eval/health';
import { ArtError, readMember, refuseData } from '@art/ground';
import { exportView } from '@art/view';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { dataOptionsOf } from '../arguments/data-options.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { Baselines } from '../eval/baselines.ts';
import { misuseOfAgent } from '../eval/agent-options.ts';
import { runFolder, runWithAgent } from '../eval/agent-run.ts';
import { declaredEval, type EvalOptions } from '../eval/eval-options.ts';
import { formatPlan } from '../eval/format-plan.ts';
import { formatStatus } from '../eval/format-status.ts';
import { goneOnWith, keptAgentOptions, notedOptions } from '../eval/kept-options.ts';
import { openLivePage } from '../eval/open-live-page.ts';
import { exitCodeOfRun, isCutShort, tellResults } from '../eval/tell-results.ts';
import { exitCodes } from '../exit-codes.ts';
import { tellHealth } from '../health/tell-health.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible, untilAborted } from '../terminal/interrupts.ts';

const exitCodeOf: Record<ThresholdVerdict, number> = {
  passed: exitCodes.ok,
  below: exitCodes.belowThreshold,
  not_judged: exitCodes.infrastructure,
};

/** The command line of `art eval`. */
export function evalCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runEval);
  const plan = bind(runPlan);
  return declaredEval().action(async (agent, flags, command) => {
    if (flags.plan !== undefined) return plan({ ...flags, agent });
    const wrong = misuseOfAgent(agent, flags);
    if (wrong !== undefined) command.error(`error: ${wrong}`);
    await run({ ...flags, agent });
  });
}

/**
 * `art eval`: runs an agent on tasks and says how good it is. Ctrl-C stops its sessions; `--resume` continues.
 * @returns the exit code
 * @throws ArtError for what cannot be evaluated
 */
export function runEval(given: EvalOptions, context: CliContext): Promise<number> {
  return interruptible(context, async (interrupts) => {
    const { cwd } = context;
    const options = given.resume === undefined ? given : await asStarted(given, cwd);
    const { tasks } = options;
    if (tasks === undefined) refuseData('--tasks with a file, a folder or a module', 'none');
    if (options.agent.length === 0 && options.agentRuntimeArn === undefined)
      refuseData('an agent such as agent.ts, or --agent-runtime-arn', 'neither');
    await using baselines = await Baselines.open(options, context);
    if (options.saveAs !== undefined) await baselines.check(options.saveAs);
    const until = options.until && (await fromFolder(options.until, baselines));
    const folder = runFolder('eval', { ...options, resume: given.resume }, cwd);
    return await runWithAgent({ command: 'eval', options, folder }, context, interrupts, async (running) => {
      const { shown, parts, progress, note, evaluating } = running;
      let opening: ReturnType<typeof openLivePage> | undefined;
      const openPage = (): ReturnType<typeof openLivePage> =>
        (opening ??= openLivePage(folder, context.env, note));
      parts.defer(async () => (await opening)?.[Symbol.asyncDispose]());
      const start = new SilentStart();
      // Once there is one: wrong tasks and the like make none.
      let isAnnounced = false;
      const run = await evaluate({
        ...evaluating,
        tasks: resolve(cwd, tasks),
        data: dataOptionsOf(options),
        samples: options.samples,
        reduce: options.reduce,
        folder,
        name: options.name,
        limit: options.limit,
        select: selectionOf(options, cwd),
        maxFailures: options.maxFailures,
        seed: options.seed,
        until,
        rewardRange: options.rewardRange,
        notes: { cli: notedOptions(options, keptOptions) },
        onStatus: (status) => {
          if (!isAnnounced) note(`Run in ${shown}. Ctrl-C stops it; "art eval --resume ${shown}" continues.`);
          isAnnounced = true;
          if (options.watch) void openPage();
          progress.show(formatStatus(status));
        },
        onSample: (sample) => {
          const silence = start.see(sample);
          if (silence !== undefined) note(silence);
          running.onSample(sample);
        },
      });
      progress.clear();
      const verdict = await publish(run, options, baselines, context);
      await tellHealth(folder, shown, context, interrupts.signal);
      const view = options.watch ? await openPage() : undefined;
      if (view !== undefined) {
        context.stderr.write(`The page stays at ${view.url} until Ctrl-C.\n`);
        await untilAborted(interrupts.signal);
      }
      return Math.max(exitCodeOf[verdict], exitCodeOfRun(run));
    });
  });
}

/** `art eval --plan`: sends nothing. @returns the exit code */
export async function runPlan(options: EvalOptions, context: CliContext): Promise<number> {
  const { plan = '', planFrom = [], tasks, samples, rewardRange, json } = options;
  await using baselines = await Baselines.open(options, context);
  const from: string[] = [];
  for (const run of planFrom) from.push(await baselines.folderOf(run));
  const source = tasks && resolve(context.cwd, tasks);
  const planned = await planRun({ plan, from, tasks: source, samples, rewardRange });
  eventWriter<RunPlan>(context, json, formatPlan)(planned);
  return exitCodes.ok;
}

/** The goal with the folder of its baseline as it is named from here. */
async function fromFolder(goal: string, baselines: Baselines): Promise<string> {
  const [whole, words, run] = /^(\s*difference from\s+)(\S.*?)(?=\s*[<>])/.exec(goal) ?? [];
  if (whole === undefined) return goal;
  return words + (await baselines.folderOf(run!)) + goal.slice(whole.length);
}

/** Writes the results everywhere where they were asked for. */
async function publish(
  run: EvalRun,
  options: EvalOptions,
  baselines: Baselines,
  context: CliContext,
): Promise<ThresholdVerdict> {
  const { cwd, env } = context;
  const { minReward, minPassAt, minTasks, confident: isConfident, rewardRange } = options;
  const check = run.check({ minReward, minPassAt, minTasks, isConfident, rewardRange });
  const summary = options.summary === undefined ? env['GITHUB_STEP_SUMMARY'] : resolve(cwd, options.summary);
  if (summary !== undefined && summary !== '')
    await appendFile(summary, markdownSummary(run.record, run.results, check.checks)).catch((cause: Error) =>
      cannotWrite('--summary', cause),
    );
  if (options.junit !== undefined) {
    const path = resolve(cwd, options.junit);
    await writeJunitXml(run.folder, run.record, run.results, path, check).catch((cause: Error) =>
      cannotWrite('--junit', cause),
    );
  }
  if (options.export !== undefined)
    await exportView({ folders: [run.folder], file: resolve(cwd, options.export) });
  tellResults(run, check, options.json, context);
  // A baseline that is not judged would make every later comparison one.
  const isWhole = check.verdict !== 'not_judged' && !isCutShort(run.results);
  if (options.saveAs !== undefined && isWhole) await baselines.save(run.folder, options.saveAs);
  return check.verdict;
}

function selectionOf({ id, tag, failedOnly, sample }: EvalOptions, cwd: string): TaskSelection | undefined {
  if ([id, tag, failedOnly, sample].every((option) => option === undefined)) return undefined;
  const failedIn = failedOnly === undefined ? undefined : resolve(cwd, failedOnly);
  return { ids: id, tags: tag, failedIn, draw: sample };
}

/** Options that a run takes again when it continues. */
const keptOptions = [
  ...keptAgentOptions,
  'limit',
  'id',
  'tag',
  'failedOnly',
  'sample',
  'seed',
  'minReward',
  'minPassAt',
  'minTasks',
  'confident',
  'rewardRange',
  'until',
  'baselines',
] as const satisfies readonly (keyof EvalOptions)[];

/** A run that continues: what is not given again is as it was. */
async function asStarted(given: EvalOptions, cwd: string): Promise<EvalOptions> {
  const { options } = await readRunRecord(resolve(cwd, given.resume!));
  const again = goneOnWith(given, options['cli']);
  return { ...again, confident: again.confident || readMember(options['cli'], 'confident') === true };
}

function cannotWrite(option: string, cause: Error): never {
  throw new ArtError({
    code: 'ART_OUTPUT_FAILED',
    message: `Expected ${option} to name a file that can be written: ${cause.message}`,
    cause,
  });
}
