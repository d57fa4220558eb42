import { runCommand } from './command-line/run-command.ts';
import {
  evaluationHelp,
  type EvaluationOptions,
  parseEvaluationOptions,
} from './evaluate/evaluation-options.ts';
import { evaluationSummary, isGoodEvaluation } from './evaluate/evaluation-summary.ts';
import { loadProblems } from './evaluate/load-problems.ts';
import { ProgressDisplay } from './evaluate/progress-display.ts';
import { runEvaluation } from './evaluate/run-evaluation.ts';

const interruption = new AbortController();

/** The exit code. */
async function main(args: readonly string[]): Promise<number> {
  // npm and pnpm start scripts in the package's folder and say here where the user was.
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const options = await parseEvaluationOptions(args, { now: new Date(), cwd });
  if (options === undefined) {
    process.stdout.write(evaluationHelp);
    return 0;
  }
  const problems = await loadProblems(options);
  process.stderr.write(`${opening(options, problems.length)}\n`);
  const display = new ProgressDisplay(problems.length);
  try {
    const evaluation = await runEvaluation(problems, options, {
      signal: interruption.signal,
      onProgress: (progress) => display.update(progress),
    });
    display.close();
    const { records, interrupted, logDir, rowsPath } = evaluation;
    process.stdout.write(
      `\n${interrupted ? 'Interrupted. ' : ''}${evaluationSummary(records, evaluation)}\n\n` +
        `results         ${options.out}\ntraining rows   ${rowsPath}\nlogs            ${logDir}\n`,
    );
    if (interrupted) return 130;
    return isGoodEvaluation(records, problems.length) ? 0 : 1;
  } finally {
    display.close();
  }
}

function opening({ model, concurrency }: EvaluationOptions, count: number): string {
  const name = model.kind === 'scripted' ? 'the scripted model (no neural network)' : model.modelId;
  return `${count} problems for ${name}, ${concurrency} sessions at a time, each a process of its own.`;
}

// The first signal ends the run in good order, the second at once; the sessions die with this process either way.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interruption.signal.aborted) process.exit(130);
    process.stderr.write('\nStopping the sessions ... once more to leave at once.\n');
    interruption.abort(new Error(`interrupted by ${name}`));
  });
}

await runCommand(main);
