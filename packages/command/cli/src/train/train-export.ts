import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isJsonObject, refuseOption } from '@art/ground';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { servingOf } from './serving-of.ts';

interface ExportOptions {
  folder: string;
  json: boolean;
}

/** Files that a run leaves for production. */
export interface Exported {
  event: 'weights';
  /** As the service names them. */
  weights: string;
  /** The state of the same step, as the service names it. */
  state: string;
  /** How many steps they have had. */
  step: number;
  /** Mean score of the held-out tasks; null where none were measured. */
  score: number | null;
  /** Folders for `art compare`: the base model and these weights; null where one was not measured. */
  evaluations: { base: string; tuned: string } | null;
}

/** The command line of `art train export`. */
export function trainExportCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runTrainExport);
  return new Command('export')
    .description('Says where the best weights of a run are, and how to serve them.')
    .argument('<run>', 'folder of the run', filledArgument)
    .option('--json', 'write a JSON object', false)
    .action((folder, flags) => run({ ...flags, folder }));
}

/** `art train export`. @returns the exit code */
function runTrainExport({ folder, json }: ExportOptions, context: CliContext): Promise<number> {
  const found =
    bestWeights(resolve(context.cwd, folder)) ??
    refuseOption('run', 'the folder of a run of "art train" that has saved a checkpoint', folder);
  eventWriter<Exported>(context, json, formatExport)(found);
  return Promise.resolve(exitCodes.ok);
}

/** The best version of a run by its score, else the one of the last checkpoint; undefined where nothing was saved. */
export function bestWeights(folder: string): Exported | undefined {
  const path = join(folder, 'checkpoints.jsonl');
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n').map(parseLine);
  const measured = lines.filter((line) => line?.['event'] === 'evaluation');
  const last =
    measured.findLast((line) => line?.['isBest'] === true) ??
    lines.findLast((line) => line?.['event'] === 'checkpoint');
  if (typeof last?.['weights'] !== 'string' || typeof last['state'] !== 'string') return undefined;
  // A run that was moved has its evaluations with it.
  const evaluationAt = (path: unknown): string | undefined =>
    typeof path !== 'string'
      ? undefined
      : ([path, join(folder, 'evaluations', basename(path))].find((one) => existsSync(one)) ?? path);
  const base = evaluationAt(measured.find((line) => line?.['step'] === 0)?.['folder']);
  const tuned = evaluationAt(last['folder']);
  return {
    event: 'weights',
    weights: last['weights'],
    state: last['state'],
    step: Number(last['step']),
    score: typeof last['score'] === 'number' ? last['score'] : null,
    evaluations: tuned !== undefined && base !== undefined ? { base, tuned } : null,
  };
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function formatExport({ weights, state, step, score, evaluations }: Exported): string {
  return [
    `Weights of step ${step}${score === null ? '' : `, with a score of ${score.toFixed(3)}`}: ${weights}`,
    ...(evaluations === null ? [] : [`Compare: art compare ${evaluations.base} ${evaluations.tuned}`]),
    ...servingOf(weights, state),
    '',
  ].join('\n');
}
