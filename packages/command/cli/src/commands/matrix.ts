import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  evaluate,
  evaluatePair,
  type EvaluatedAgent,
  type MatrixCell,
  openBudget,
  type PairSide,
  readMatrix,
} from '@art/eval';
import { ArtError, type JsonObject, readMember, refuseOption } from '@art/ground';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Bind, CliContext } from '../cli-context.ts';
import { openRunBudget } from '../connection/open-run-budget.ts';
import { type AgentOptions, misuseOfAgent } from '../eval/agent-options.ts';
import { runFolder, runWithAgent } from '../eval/agent-run.ts';
import { matrixMarkdown, matrixTable } from '../eval/format-matrix.ts';
import { formatStatus } from '../eval/format-status.ts';
import { goneOnWith, keptAgentOptions, notedOptions } from '../eval/kept-options.ts';
import { declaredMatrix, type MatrixOptions, wantedCells, type WantedCell } from '../eval/matrix-options.ts';
import { exitCodeOfRun, isCutShort } from '../eval/tell-results.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { type Interrupts, interruptible } from '../terminal/interrupts.ts';

/** The command line of `art matrix`. */
export function matrixCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runMatrix);
  return declaredMatrix().action(async (agent, flags, command) => {
    const wrong = misuseOfAgent(agent, { ...flags, modelId: undefined });
    if (wrong !== undefined) command.error(`error: ${wrong}`);
    await run({ ...flags, agent });
  });
}

const keptMatrix = [
  ...keptAgentOptions,
  'limit',
  'prompts',
  'samples',
  'reduce',
  'passReward',
  'failureReward',
  'prices',
  'baseline',
  'until',
  'rewardRange',
  'seed',
] as const;
// A cell that "art eval" continues has no part in the ceiling of all.
const keptCell = [...keptAgentOptions, 'limit'].filter((name) => name !== 'ceiling') as 'tasks'[];

/** `art matrix`: runs every cell that is not done, one after the other or two side by side, and tells the table. @returns the exit code */
export function runMatrix(given: MatrixOptions, context: CliContext): Promise<number> {
  return interruptible(context, async (interrupts) => {
    const { cwd } = context;
    const folder = runFolder('matrix', given, cwd);
    const options = given.resume === undefined ? given : await asStarted(given, folder);
    const cells = wantedCells(options, cwd);
    const { until, baseline = until === undefined ? undefined : cells[0]?.name } = options;
    const names = cells.map(({ name }) => name);
    if (baseline !== undefined && !names.includes(baseline) && !existsSync(join(folder, baseline)))
      refuseOption('--baseline', `one of ${names.join(', ')}`, baseline);
    // A model without a price is refused before the first cell is sent.
    for (const { modelId } of cells) openRunBudget({ ...options, modelId }, cwd, options.gateway !== false);
    let code: number = exitCodes.ok;
    if (until !== undefined) code = await runPair(cells, { ...options, until }, folder, context, interrupts);
    else
      for (const cell of cells) {
        try {
          code = await runCell(cell, { options, folder, all: names }, context, interrupts);
        } catch (error) {
          // An agent that does not start keeps no other one from it.
          if (!ArtError.isInstance(error) || error.code !== 'ART_TOO_MANY_FAILURES') throw error;
          context.stderr.write(`${cell.name}: ${error.message}\n`);
        }
        if (code !== exitCodes.ok) break;
      }
    if (interrupts.signal.aborted) return code;
    const found = await readMatrix(folder, { baseline, comparisons: cells.length - 1 });
    const missing = names.filter((name) => found.every((cell) => cell.name !== name));
    if (options.markdown !== undefined)
      await writeFile(resolve(cwd, options.markdown), matrixMarkdown(found, missing));
    eventWriter<{ cells: MatrixCell[]; missing: string[] }>(context, options.json, () =>
      matrixTable(found, missing),
    )({ cells: found, missing });
    const isSound = found.every(
      ({ results, comparison }) => results.isComplete === true && !comparison?.doubts.length,
    );
    return Math.max(code, isSound && missing.length === 0 ? exitCodes.ok : exitCodes.infrastructure);
  });
}

function runCell(
  { name, ...cell }: WantedCell,
  { options: ofAll, folder, all }: { options: MatrixOptions; folder: string; all: readonly string[] },
  context: CliContext,
  interrupts: Interrupts,
): Promise<number> {
  const options = { ...ofAll, agent: cell.agent, modelId: cell.modelId };
  return runWithAgent({ command: 'matrix', options, folder }, context, interrupts, async (run) => {
    const { agent, evaluating, progress, onSample } = run;
    const { ceiling: _, sampleCeiling: __, ...rest } = evaluating;
    const runs = all.map((one) => join(folder, one));
    const sharedBudget = await openBudget(evaluating, agent, folder, runs);
    const { tasks = refuseOption('--tasks', 'a file, a folder or a module', undefined) } = options;
    const { results } = await evaluate({
      ...rest,
      sharedBudget,
      tasks: resolve(context.cwd, tasks),
      samples: options.samples,
      reduce: options.reduce,
      limit: options.limit,
      prompts: cell.prompts,
      folder: join(folder, name),
      name,
      notes: cellNotes(options, ofAll, all),
      onStatus: (status) => progress.show(`${name}: ${formatStatus(status)}`),
      onSample,
    });
    progress.clear();
    return isCutShort(results) ? exitCodes.infrastructure : exitCodes.ok;
  });
}

/** Asks two cells side by side until a question about their difference is answered. */
function runPair(
  cells: readonly WantedCell[],
  ofAll: MatrixOptions & { until: string },
  folder: string,
  context: CliContext,
  interrupts: Interrupts,
): Promise<number> {
  const names = cells.map(({ name }) => name);
  const first = cells.find(({ name }) => name === ofAll.baseline) ?? cells[0]!;
  const [second, ...others] = cells.filter((cell) => cell !== first);
  if (second === undefined || others.length > 0)
    refuseOption('--until', 'beside two cells: two agents, two models or two prompts', names);
  const { tasks = refuseOption('--tasks', 'a file, a folder or a module', undefined) } = ofAll;
  const optionsOf = ({ agent, modelId }: WantedCell): AgentOptions => ({ ...ofAll, agent, modelId });
  return runWithAgent(
    { command: 'matrix', options: optionsOf(first), folder },
    context,
    interrupts,
    (run) => {
      const { agent, evaluating, progress, onSample } = run;
      const shown: string[] = [];
      const sideOf = (cell: WantedCell, of: EvaluatedAgent): PairSide => ({
        name: cell.name,
        agent: of,
        prompts: cell.prompts,
        notes: cellNotes(optionsOf(cell), ofAll, names),
        onStatus: (status) => {
          shown[Number(cell === second)] = `${cell.name}: ${formatStatus(status)}`;
          progress.show(shown.join('; '));
        },
      });
      // One judge, and one gateway, for both.
      const judged = { ...optionsOf(second), reward: undefined, cache: undefined };
      const beside = { command: 'matrix', options: judged, folder, shared: agent.capture } as const;
      return runWithAgent(beside, context, interrupts, async (candidate) => {
        const pair = await evaluatePair({
          ...evaluating,
          until: ofAll.until,
          rewardRange: ofAll.rewardRange,
          seed: ofAll.seed,
          tasks: resolve(context.cwd, tasks),
          samples: ofAll.samples,
          reduce: ofAll.reduce,
          limit: ofAll.limit,
          folder,
          baseline: sideOf(first, agent),
          candidate: sideOf(second, candidate.agent),
          onSample,
        });
        progress.clear();
        return exitCodeOfRun(pair.candidate);
      });
    },
  );
}

function cellNotes(options: AgentOptions, ofAll: MatrixOptions, all: readonly string[]): JsonObject {
  const matrix = { ...notedOptions(ofAll, keptMatrix), cells: [...all] };
  return { cli: notedOptions(options, keptCell), matrix };
}

/** A matrix that continues: what is not given again is as it was, by the record of any of its runs. */
async function asStarted(given: MatrixOptions, folder: string): Promise<MatrixOptions> {
  const [first] = await readMatrix(folder);
  return goneOnWith(given, readMember(first!.record.options, 'matrix'));
}
