import { resolve } from 'node:path';
import { readRunRollouts, recogniseRun, recordedRunKinds } from '@art/eval/records';
import {
  type HealthCheckResult,
  healthDefaults,
  type HealthLevel,
  type HealthOptions,
  type HealthPlace,
  RunHealth,
} from '@art/eval/health';
import { refuseOption } from '@art/ground';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { numberArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import type { Paint } from '../terminal/paint.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

const examples = `
Examples:
  $ art health .art/evals/20260131-120000-3f9a1c
  $ art health .art/train/agent --training
  $ art health .art/collect --training
  $ art health results.jsonl --training --reward-min 0 --reward-max 1
  $ art health run --max-cut-off-share 0.3 --json

Each check says one of three things: a finding, healthy, or not observed.
What was not observed is not healthy.
Findings are errors (the figures are wrong, or a trainer would learn what
did not happen), warnings and notes.
Exit codes: 0 no finding of level error; 1 with one (--no-fail: 0); 2 wrong
usage; 130 Ctrl-C.`;

const thresholds = Object.entries(healthDefaults()).filter(
  (entry): entry is [string, number] => typeof entry[1] === 'number',
);

export interface HealthCommandOptions {
  folder: string;
  training: boolean;
  fail: boolean;
  json: boolean;
  rewardMin?: number | undefined;
  rewardMax?: number | undefined;
  maxVersionLag?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  /** By the names of `HealthOptions`. */
  [threshold: string]: unknown;
}

/** The command line of `art health`. */
export function healthCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runHealth);
  const command = new Command('health')
    .description('Looks at a run for what its figures do not show, such as tools that were never called.')
    .argument('<run>', recordedRunKinds, filledArgument)
    .option('--training', 'the rollouts are to train on: what only a trainer needs counts, too', false)
    .option('--no-fail', 'end with 0 although there are errors')
    .option('--json', 'write a JSON object for each check', false)
    .option('--reward-min <reward>', 'least reward that the task can give', rewardArgument)
    .option('--reward-max <reward>', 'greatest reward that the task can give', rewardArgument)
    .option('--temperature <value>', 'what answers were to be sampled with', realArgument)
    .option('--top-p <value>', 'what answers were to be sampled with', realArgument)
    .option(
      '--max-version-lag <steps>',
      'newest weights less oldest within a rollout',
      numberArgument({ min: 0 }),
    );
  for (const [name, value] of thresholds) {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.addOption(new Option(`--${flag} <value>`, `default: ${value}`).argParser(realArgument));
  }
  return command.addHelpText('after', examples).action((folder, flags) => run({ ...flags, folder }));
}

const realArgument = numberArgument({ min: 0, whole: false });
const rewardArgument = numberArgument({ min: -Number.MAX_VALUE, whole: false });

/** `art health`. @returns the exit code */
export function runHealth(options: HealthCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const found = await recogniseRun(resolve(context.cwd, options.folder));
    const run = found ?? refuseOption('run', recordedRunKinds, options.folder);
    const health = new RunHealth(healthOptions(options));
    const progress = new ProgressLine(context.stderr);
    let seen = 0;
    for await (const rollout of readRunRollouts(run, (file, bytes) => progress.noteTorn(file, bytes))) {
      signal.throwIfAborted();
      health.see(rollout);
      progress.show(`${(seen += 1)} rollouts`);
    }
    progress.clear();
    const report = health.report();
    const tell = eventWriter<HealthEvent>(context, options.json, formatEvent);
    for (const result of report.checks.toSorted((first, second) => rank(first) - rank(second)))
      tell({ event: 'check', ...shownResult(result) });
    tell({ event: 'health', rollouts: report.rollouts, worst: report.worst ?? null });
    return report.worst === 'error' && options.fail ? exitCodes.belowThreshold : exitCodes.ok;
  });
}

/** The rollouts of a finding as a number: there may be thousands. */
type ShownResult =
  | (Omit<Extract<HealthCheckResult, { state: 'finding' }>, 'rollouts'> & { rollouts: number })
  | Exclude<HealthCheckResult, { state: 'finding' }>;

type HealthEvent =
  | ({ event: 'check' } & ShownResult)
  | { event: 'health'; rollouts: number; worst: HealthLevel | null };

function shownResult(result: HealthCheckResult): ShownResult {
  return result.state === 'finding' ? { ...result, rollouts: result.rollouts.size } : result;
}

const order: readonly string[] = ['error', 'warning', 'note', 'not_observed', 'healthy'];

function rank(result: HealthCheckResult): number {
  return order.indexOf(result.state === 'finding' ? result.level : result.state);
}

const colours = { error: 'red', warning: 'yellow', note: 'cyan' } as const;

function formatEvent(told: HealthEvent, paint: Paint): string {
  if (told.event === 'health') {
    const worst = told.worst === null ? 'No finding' : `Worst finding: ${told.worst}`;
    return `\n${worst}, in ${told.rollouts} rollouts.\n`;
  }
  const { check } = told;
  if (told.state === 'healthy') return `${paint('green', 'healthy'.padEnd(14))}${check}\n`;
  if (told.state === 'not_observed')
    return `${paint('dim', 'not observed'.padEnd(14))}${check}: ${told.why}\n`;
  const places = told.places.map(placeText).join('; ');
  return [
    `${paint(colours[told.level], told.level.padEnd(14))}${check}: ${told.message}\n`,
    places === '' ? '' : `              see   ${places}\n`,
    `              do    ${told.nextStep}\n`,
  ].join('');
}

function placeText({ id, call }: HealthPlace): string {
  return call === undefined ? id : `${id}, call ${call} of the model`;
}

function healthOptions(options: HealthCommandOptions): HealthOptions {
  const { rewardMin, rewardMax, maxVersionLag, temperature, topP, training } = options;
  const given = thresholds.flatMap(([name]) => (options[name] === undefined ? [] : [[name, options[name]]]));
  return {
    ...Object.fromEntries(given),
    purpose: training ? 'training' : 'evaluation',
    maxVersionLag,
    temperature,
    topP,
    rewardRange:
      rewardMin === undefined && rewardMax === undefined
        ? undefined
        : [rewardMin ?? -Infinity, rewardMax ?? Infinity],
  };
}
