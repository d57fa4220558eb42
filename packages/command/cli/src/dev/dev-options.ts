import { Command } from '@commander-js/extra-typings';
import { environmentArgument } from '../arguments/key-value-argument.ts';
import {
  countArgument,
  durationArgument,
  numberArgument,
  portArgument,
} from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { otelOption, platformVersionOption } from '../arguments/shared-options.ts';
import { bucketArgument, filledArgument, regionArgument, textArgument } from '../arguments/text-argument.ts';

/** The port that `art dev` takes where none is asked for: a shell's AWS_ENDPOINT_URL then survives a restart of it. */
export const defaultDevPort = 8_787;

const examples = `
Examples:
  $ art dev agent.ts                           a file, run by Node
  $ art dev "npx tsx agent.ts --verbose"
      a command line, run by the shell
  $ art dev -- node agent.js --verbose
      several words; "--" keeps their options apart
  $ art dev --data .results agent.js           keep the results on disk
  $ art dev --warm 4 --env MODEL_ID=qwen agent.ts
  $ art dev --json agent.ts | jq -r 'select(.event == "log") | .line'
  $ art dev --faults plan.json agent.ts
      test your loop against failures
  $ art dev agent.ts --sagemaker prompts.jsonl \\
      --model http://127.0.0.1:8000/v1

A fault plan is JSON: a seed and rules. This one kills one session in ten,
up to 5 s after it accepted its rollout, throttles for the first minute, and
forgets every 20th result; the same seed does the same again:
  { "seed": 7, "rules": [
    { "when": { "operation": "invoke" }, "probability": 0.1,
      "fault": { "kind": "kill", "afterMs": [0, 5000] } },
    { "when": { "operation": "invoke" }, "every": 2,
      "betweenMs": [0, 60000],
      "fault": { "kind": "error", "status": 429 } },
    { "when": { "operation": "s3_put" }, "every": 20,
      "fault": { "kind": "forget" } } ] }
Operations: start invoke stop command ping s3_put s3_get s3_head s3_list
s3_delete.
Faults: kill drop delay duplicate reset error hide_from_lists
hide_from_reads forget slow_body lose_pings.
The page on fault plans describes all of it.

The agent should listen on the port in PORT. One that listens on 8080
whatever PORT says serves one session at a time.
With --sagemaker each prompt is a rollout in its own session, and what
would end a real job is reported at the end.

Exit codes: 0 ended by Ctrl-C or a signal, or --sagemaker found nothing
wrong; 2 wrong usage; 3 the port is taken, or a similar obstacle; 16
--sagemaker found something.`;

/** The options of `art dev`. */
export function declaredDev() {
  return new Command('dev')
    .description(
      'Starts AgentCore and S3 on one loopback port, runs every session of the agent as its own process, shows their logs, and starts afresh when a file changes.',
    )
    .argument('<agent...>', 'a file for Node, or a command (in quotes, or as several words)')
    .option(
      '--port <number>',
      `port on 127.0.0.1; 0 takes a free one (default: ${defaultDevPort}, or a free one when that is taken)`,
      portArgument,
    )
    .option('--bucket <name>', 'bucket that results go to', bucketArgument, 'art-local')
    .option('--auto-buckets', 'have every other bucket that is named, too, empty at first', false)
    .option(
      '--name <name>',
      'name of the agent in its ARN',
      textArgument(/^[a-zA-Z][a-zA-Z0-9_-]{0,47}$/, 'a letter and up to 47 letters, digits, "_" and "-"'),
      'agent',
    )
    .option('--region <region>', 'region in the ARN', regionArgument, 'us-west-2')
    .option('--data <dir>', 'keep objects in this folder (default: in memory)', filledArgument)
    .option('--log-dir <dir>', 'keep the logs of sessions here (default: removed at the end)', filledArgument)
    .option('--env <KEY=VALUE>', 'variable for the agent; repeatable', environmentArgument)
    .option('--env-file <file>', 'file with variables for the agent; --env wins', filledArgument)
    .option('--warm <count>', 'processes to keep ready', numberArgument({ min: 0, max: 1_000 }), 0)
    .option('--idle-timeout-ms <ms>', 'end a session that is idle for so long', durationArgument, 900_000)
    .option('--init-timeout-ms <ms>', 'longest time to the first healthy ping', durationArgument, 120_000)
    .option('--stop-grace-ms <ms>', 'from SIGTERM to SIGKILL', durationArgument, 10_000)
    .option(
      '--new-sessions-per-second <rate>',
      'refuse more with 429, as AgentCore does (default: no limit)',
      numberArgument({ min: 0.001, max: 100_000, whole: false }),
    )
    .option(
      '--max-sessions <count>',
      'refuse more live ones with 402, as AgentCore does (default: no limit)',
      countArgument(),
    )
    .option(
      '--faults <file>',
      'let things go wrong as this fault plan says: crashes, lost requests, errors (see below)',
      filledArgument,
    )
    .addOption(platformVersionOption())
    .option('--allow-commands', 'run programs for InvokeAgentRuntimeCommand, in the sessions', false)
    .option(
      '--watch <path>',
      'start afresh when this file or folder changes; repeatable (default: sources below the current folder)',
      (path: string, previous: string[] | false | undefined) => [
        ...(Array.isArray(previous) ? previous : []),
        filledArgument(path),
      ],
    )
    .option('--no-watch', 'do not watch files')
    .option(
      '--sagemaker <file>',
      "play SageMaker's trainer with the prompts of this file (JSON lines), then end",
      filledArgument,
    )
    .option(
      '--model <url or script>',
      'with --sagemaker: the model, or a script for `art mock-model` (default: says each question again)',
      filledArgument,
    )
    .option(
      '--concurrency <count>',
      'with --sagemaker: rollouts at a time (default: 32)',
      countArgument(1_000),
    )
    .option(
      '--rollout-timeout-ms <ms>',
      'with --sagemaker: as the job will have it (default: 600000)',
      durationArgument,
    )
    .option('--rollouts-per-prompt <count>', 'with --sagemaker (default: 1)', countArgument(1_000))
    .addOption(otelOption())
    .option('--json', 'write one JSON event a line', false)
    .addHelpText('after', examples);
}

/** Without `sagemaker` it serves until it is stopped. */
export type DevOptions = OptionsOf<typeof declaredDev> & { agent: string[] };
