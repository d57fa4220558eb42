import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { rolloutFieldArgument } from '../arguments/key-value-argument.ts';
import { countArgument, durationArgument, failuresArgument } from '../arguments/number-argument.ts';
import { filledArgument, runArgument, urlArgument } from '../arguments/text-argument.ts';
import { endpointOption, journalOption } from './journal-options.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art runs                                                     which run is open?
  $ art resume 20260131-120000-3f9a1c --payloads problems.jsonl --out results.jsonl
  $ art resume step-17 --payloads problems.jsonl --base-url http://127.0.0.1:8000/v1 --model-id qwen
  $ art resume step-17 --payloads problems.jsonl --journal s3://my-bucket --concurrency 16

Journal and store are compared first: results that have landed are taken, live sessions waited for, and only what is missing
or was certainly lost runs again. The payloads must be those of the start, in the same order; what differs is named. A journal
keeps no config, because it may hold secrets: give --base-url, --model-id and --set as at the start.
With --out nothing is lost or doubled, whatever is killed when: a line is on the disk before the journal learns of it, and one
that is there already is not written again.
Exit codes: 0 finished, all ok; 2 wrong usage, or other payloads; 3 held by another process, nothing to send to, a store that cannot be read, or ended by its failures; 16 ended
with rollouts that are not ok; 130 Ctrl-C, which stops the sessions.`;

function declared() {
  return new Command('resume')
    .summary('go on with a run that was interrupted')
    .description(
      'Goes on with a run of a journal, from any process or machine, and writes one JSON line an item.',
    )
    .argument('<run>', 'its id, as "art runs" prints it', runArgument)
    .requiredOption(
      '--payloads <file>',
      'payloads of the run: JSON lines or an array; - reads stdin',
      filledArgument,
    )
    .addOption(journalOption())
    .option('--out <file>', 'append the lines to this file (default: stdout)', filledArgument)
    .option('--arn <arn>', 'runtime on AgentCore (default: that of the run)', filledArgument)
    .option('--qualifier <name>', 'endpoint of the runtime (default: DEFAULT)', filledArgument)
    .addOption(endpointOption())
    .option('--concurrency <count>', 'most sessions at once (default: as before)', countArgument(100_000))
    .option(
      '--max-failures <limit>',
      'end the run when more fail: a count, a share like 20%, or none (default: as before)',
      failuresArgument,
    )
    .option('--no-store-check', 'send without asking first whether results can be read')
    .option('--timeout-ms <ms>', 'longest time of a rollout (default: as before)', durationArgument)
    .option('--base-url <url>', 'OpenAI-compatible endpoint for the agent', urlArgument)
    .option('--model-id <id>', 'model at that endpoint', filledArgument)
    .option(
      '--set <field=value>',
      'further field of _rollout, JSON or text; repeatable',
      rolloutFieldArgument,
    )
    .addHelpText('after', examples);
}

export type ResumeRunOptions = OptionsOf<typeof declared> & { run: string };

/** `art resume`: how it is written. What it does is in `runs/run-resume.ts`. */
export function resumeCommand(run: (options: ResumeRunOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action((id, flags) => run({ ...flags, run: id }));
}
