import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject, refuseOption } from '@art/protocol';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';

interface ExportOptions {
  folder: string;
  json: boolean;
}

/** What a run leaves for production. */
interface Exported {
  event: 'weights';
  /** As the service names them. */
  weights: string;
  /** How many steps they have had. */
  step: number;
  /** Of the held-out tasks; null where none were measured. */
  score: number | null;
  /** Folders for `art compare`: the base model and these weights. */
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
  const found = exported(resolve(context.cwd, folder));
  eventWriter<Exported>(context, json, formatExport)(found);
  return Promise.resolve(exitCodes.ok);
}

/** The best version by its score, else the one of the last checkpoint. */
function exported(folder: string): Exported {
  const path = join(folder, 'checkpoints.jsonl');
  if (!existsSync(path))
    refuseOption('run', 'the folder of a run of "art train" that has saved a checkpoint', folder);
  const lines = readFileSync(path, 'utf8').split('\n').map(parseLine);
  const last =
    lines.findLast((line) => line?.['event'] === 'best') ??
    lines.findLast((line) => line?.['event'] === 'checkpoint');
  if (last === undefined || typeof last['weights'] !== 'string')
    refuseOption('run', 'a run that has saved weights', folder);
  const base = join(folder, 'evaluations', 'step-00000');
  const tuned = last['folder'];
  return {
    event: 'weights',
    weights: last['weights'],
    step: Number(last['step']),
    score: typeof last['score'] === 'number' ? last['score'] : null,
    evaluations: typeof tuned === 'string' && existsSync(base) ? { base, tuned } : null,
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

function formatExport({ weights, step, score, evaluations }: Exported): string {
  return [
    `Weights of step ${step}${score === null ? '' : `, with a score of ${score.toFixed(3)}`}: ${weights}`,
    ...(evaluations === null ? [] : [`Compare: art compare ${evaluations.base} ${evaluations.tuned}`]),
    ...servingOf(weights),
    'The page "From a prototype to a trained agent" has the commands.',
    '',
  ].join('\n');
}

const modelLine =
  'In the agent one line changes, the model that calls of users name: "tuned", or the name that Bedrock or SageMaker gave.';

function servingOf(weights: string): string[] {
  if (weights.includes(':model-package/')) {
    return [
      'SageMaker: "aws sagemaker describe-model-package --model-package-name" of this ARN tells where the adapter lies in S3.',
      'Serve it with vLLM (--enable-lora --lora-modules tuned=<folder>), or merge it into the base model, for Bedrock or an endpoint of SageMaker.',
      modelLine,
    ];
  }
  if (weights.startsWith('tinker://'))
    return [
      'Tinker: download the adapter with its own command, and serve it with vLLM (--enable-lora --lora-modules tuned=<folder>).',
      modelLine,
    ];
  return ['These are weights of a rehearsal on this machine: there is nothing to serve.'];
}
