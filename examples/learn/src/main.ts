import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ArtError } from '@art/ground';
import { help, type Options, parseOptions } from './options.ts';
import { closingWords } from './report/closing-words.ts';
import { formatStep } from './report/format-step.ts';
import { learningCurve } from './report/learning-curve.ts';
import { runTitle } from './report/run-title.ts';
import { type StepRecord, stepRecord } from './report/step-record.ts';
import { terminalPlot } from './report/terminal-plot.ts';
import { checkMachine, readMachine } from './setup/check-machine.ts';
import { MachineRefusal } from './setup/machine-refusal.ts';
import { announceInstallation, installEnvironment, locateEnvironment } from './setup/python-environment.ts';
import { openLocalStage } from './stage/open-local-stage.ts';
import { openVllmStage } from './stage/open-vllm-stage.ts';
import type { Stage } from './stage/stage.ts';

const interruption = new AbortController();

async function main(args: readonly string[]): Promise<number> {
  // npm and pnpm start scripts in the package's folder and say here where the user was.
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const options = parseOptions(args, { now: new Date(), cwd });
  if (options === undefined) {
    process.stdout.write(help);
    return 0;
  }
  const startedMs = performance.now();
  await using stage =
    options.engine === 'local' ? await openLocalStage(options, interruption.signal) : await openVllm(options);
  say(`Ready after ${((performance.now() - startedMs) / 1_000).toFixed(0)} s.`);
  await runAll(stage, options);
  return 0;
}

async function openVllm(options: Options): Promise<Stage> {
  const { signal } = interruption;
  checkMachine(await readMachine());
  const environment = await locateEnvironment(process.env);
  if (!environment.isThere) {
    say(await announceInstallation(environment));
    if (!(await mayInstall(options))) throw new MachineRefusal('Nothing was downloaded.');
    await installEnvironment(environment, signal);
  }
  say('Starting vLLM, the gateway and the agent; vLLM takes a minute.');
  return await openVllmStage(options, environment.python, signal);
}

async function runAll(stage: Stage, options: Options): Promise<void> {
  const curves = new Map<string, StepRecord[]>();
  const svg = join(options.out, 'learn.svg');
  const jsonl = join(options.out, 'learn.jsonl');
  for (const run of options.runs) {
    say(`\n${runTitle(run)}, seed ${options.seed}`);
    const records: StepRecord[] = [];
    curves.set(runTitle(run), records);
    for await (const step of stage.run(run)) {
      const record = stepRecord(step, { run, seed: options.seed, before: records });
      records.push(record);
      await appendFile(jsonl, `${JSON.stringify(record)}\n`);
      await writeFile(
        svg,
        learningCurve(`A policy learns two turns with a tool (seed ${options.seed})`, curves),
      );
      process.stdout.write(`${formatStep(record)}\n`);
    }
  }
  process.stdout.write(`\n${terminalPlot(curves)}\n`);
  for (const [index, records] of [...curves.values()].entries())
    process.stdout.write(`\n${closingWords(options.runs[index]!, records)}\n`);
  process.stdout.write(`\nsteps   ${jsonl}\ncurve   ${svg}\nlogs    ${join(options.out, 'logs')}\n`);
}

async function mayInstall({ yes }: Options): Promise<boolean> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Go on? [Y/n] ', { signal: interruption.signal });
  terminal.close();
  return /^\s*(y|yes)?\s*$/i.test(answer);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

// The first signal ends the run in good order, the second at once; no process outlives this one either way.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (interruption.signal.aborted) process.exit(130);
    say('\nStopping ... once more to leave at once.');
    interruption.abort(new Error(`interrupted by ${name}`));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (interruption.signal.aborted) process.exitCode = 130;
  else {
    // What a user can mend is told in one line; anything else needs its stack.
    const isKnown = ArtError.isInstance(error) || error instanceof MachineRefusal;
    say(isKnown ? error.message : String((error as Error).stack));
    process.exitCode = ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION' ? 2 : 1;
  }
}
