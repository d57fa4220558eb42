import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { environmentArgument } from '../arguments/key-value-argument.ts';
import {
  countArgument,
  durationArgument,
  failuresArgument,
  numberArgument,
} from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { endpointOption, otelOption, qualifierOption, setOption } from '../arguments/shared-options.ts';
import { bucketArgument, filledArgument, urlArgument } from '../arguments/text-argument.ts';

const examples = `
Examples:
  $ art eval agent.ts --tasks tasks.jsonl --mock-model model.ts         a script plays the model
  $ art eval agent.ts --tasks tasks.jsonl --samples 4
  $ art eval agent.ts --tasks gsm8k-test.jsonl --limit 100 --base-url http://127.0.0.1:8000/v1 --model-id qwen
  $ art eval agent.ts --tasks tasks.csv --reward ./reward.ts --min-reward 0.8 --confident --junit report.xml
  $ art eval --agent-runtime-arn arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123 --bucket my-results --tasks tasks.jsonl
  $ art eval agent.ts --tasks tasks.jsonl --sample 50 --seed 7 --tag hard
  $ art eval agent.ts --tasks tasks.jsonl --failed-only .art/evals/20260131-120000-3f9a1c
  $ art eval --resume .art/evals/20260131-120000-3f9a1c                 after Ctrl-C or a crash
  $ art eval --resume .art/evals/20260131-120000-3f9a1c --samples 8     add samples
  $ art ctl pause                                                       from another terminal

A task is a JSON object: its payload alone, or {"id", "payload", "tags", "expected"}. A CSV file has the columns id, tags (separated
by ";") and expected; all other columns are the payload. A folder has .json, .jsonl and .csv files. A module (.ts, .js) exports an
async iterable.
The reward is the agent's own "reward", or comes from the default export of --reward: a RewardFunction, or a function of
{ task, document, transcript } that returns a number or { reward, metrics }. Metrics are named numbers that reports show beside the
reward. An agent may return metrics, too.
Samples whose infrastructure failed are tried again, then excluded from the mean. They never count as 0. A failure of the agent itself
counts as 0, or as --failure-reward says.
--resume takes tasks in another order, fewer or more. A task that has samples must be as it was.
Exit codes: 0 done, and every threshold is reached; 1 a threshold is not reached; 2 wrong usage; 3 not judged: too many samples are
excluded, none has a reward, or something that is needed is missing; 130 Ctrl-C, which stops the sessions.`;

/** The options of `art eval`. */
export function declaredEval() {
  const score = numberArgument({ min: -1e9, max: 1e9, whole: false });
  return new Command('eval')
    .description(
      'Runs an agent on tasks, on this machine or on AgentCore, and prints mean reward, pass@k and costs with their intervals.',
    )
    .argument('[agent...]', 'a file for Node, or a command (in quotes, or as several words)')
    .option('--tasks <path>', 'JSON lines, CSV, a folder of them, or a module', filledArgument)
    .option('--samples <count>', 'how often each task is tried (default: 1)', countArgument(1_000_000))
    .option(
      '--reward <file>',
      'module whose default export judges (default: the reward of the agent)',
      filledArgument,
    )
    .option('--out <dir>', 'folder of the run (default: .art/evals/<time>)', filledArgument)
    .option(
      '--resume <dir>',
      'continue the run in this folder; options that are not given stay as before',
      filledArgument,
    )
    .option('--name <text>', 'what the run is called in reports', filledArgument)
    .option('--limit <count>', 'take only the first tasks', countArgument())
    .option('--id <id>', 'take only this task; repeatable', repeatedArgument)
    .option(
      '--tag <tag>',
      'take only tasks with this tag; repeatable: a task needs one of the tags',
      repeatedArgument,
    )
    .option(
      '--failed-only <dir>',
      'take only tasks that did not pass, or were not judged, in the run of this folder',
      filledArgument,
    )
    .option('--sample <count>', 'take this many tasks, drawn by --seed', countArgument())
    .option('--concurrency <count>', 'most sessions at once (default: 16)', countArgument(10_000))
    .option('--timeout-ms <ms>', 'longest time of a sample (default: 900000)', durationArgument)
    .option('--base-url <url>', 'OpenAI-compatible endpoint for the agent', urlArgument)
    .option('--model-id <id>', 'model at that endpoint', filledArgument)
    .option(
      '--mock-model <script>',
      'in place of --base-url: a script that plays the model, as for "art mock-model"',
      filledArgument,
    )
    .option(
      '--gateway <url>',
      'gateway that captures calls, with --agent-runtime-arn (on this machine the command starts its own)',
      urlArgument,
    )
    .option('--no-gateway', 'capture nothing')
    .addOption(setOption())
    .option('--env <KEY=VALUE>', 'variable for the agent on this machine; repeatable', environmentArgument)
    .option('--env-file <file>', 'file with variables for the agent; --env wins', filledArgument)
    .addOption(
      new Option(
        '--sessions <how>',
        'an agent on this machine: one process a sample, or one process for all, which is faster (default: processes)',
      ).choices(['processes', 'server'] as const),
    )
    .option(
      '--warm <count>',
      'agent processes to keep ready (default: 0)',
      numberArgument({ min: 0, max: 1_000 }),
    )
    .option('--agent-runtime-arn <arn>', 'runtime on AgentCore, in place of an agent', filledArgument)
    .addOption(qualifierOption())
    .option(
      '--bucket <name>',
      'bucket for the results (default: results come from the sessions)',
      bucketArgument,
    )
    .addOption(endpointOption())
    .addOption(
      new Option('--wire <wire>', 'how results come back (default: s3 on this machine)').choices([
        's3',
        'rip',
      ] as const),
    )
    .option(
      '--max-failures <limit>',
      'samples that may be excluded: a count, a share like 10%, or none (default: 10%)',
      failuresArgument,
    )
    .option('--pass-reward <reward>', 'reward from which a sample has passed (default: 1)', score)
    .option(
      '--failure-reward <reward>',
      'what a failure of the agent counts, or "none" to leave it out (default: 0)',
      failureReward,
    )
    .option('--min-reward <reward>', 'threshold of the mean reward', score)
    .option('--min-pass-at <k=share>', 'threshold of pass@k, such as 1=0.7; repeatable', passAt)
    .option('--confident', 'compare thresholds with the lower end of the interval', false)
    .option(
      '--prices <file>',
      'JSON: {"model": {"input": 1.5, "output": 6}}, by a million tokens; "*" for others',
      filledArgument,
    )
    .option(
      '--seed <number>',
      'seed by which --sample draws tasks (default: 0)',
      numberArgument({ min: 0, max: 2 ** 32 - 1 }),
    )
    .option('--junit <file>', 'write JUnit XML', filledArgument)
    .option('--summary <file>', 'append a Markdown summary (default: $GITHUB_STEP_SUMMARY)', filledArgument)
    .option('--watch', 'open a page that shows the run live; it stays until Ctrl-C', false)
    .option('--export <file>', 'write the page of the run into one HTML file', filledArgument)
    .addOption(otelOption())
    .option('--json', 'write the figures as one JSON object', false)
    .addHelpText('after', examples);
}

type Flags = OptionsOf<typeof declaredEval>;

/** What is left out is, with `resume`, as the run was started with; `gateway` is false for none. */
export type EvalOptions = Flags & { agent: string[] };

/** What the options do not allow together; undefined where all is well. */
export function misuseOfEval(agent: readonly string[], flags: Flags): string | undefined {
  const isLocal = flags.agentRuntimeArn === undefined;
  if (agent.length > 0 && !isLocal) return 'Expected an agent or --agent-runtime-arn, and not both.';
  if (flags.resume !== undefined && flags.out !== undefined)
    return 'Expected --out or --resume, and not both.';
  if (flags.resume !== undefined) return undefined;
  if (agent.length === 0 && isLocal) return 'Expected an agent such as agent.ts, or --agent-runtime-arn.';
  if (flags.tasks === undefined) return 'Expected --tasks with a file, a folder or a module.';
  if (isLocal && typeof flags.gateway === 'string')
    return 'Expected --agent-runtime-arn beside --gateway: an agent on this machine has a gateway of its own.';
  if (isLocal && flags.bucket !== undefined) return 'Expected --agent-runtime-arn beside --bucket.';
  if (!isLocal && flags.sessions !== undefined) return 'Expected an agent on this machine beside --sessions.';
  if (flags.sessions === 'server' && (flags.wire === 's3' || flags.warm !== undefined))
    return 'Expected --sessions server without --wire s3 and --warm: one process keeps the results until they are asked for.';
  if (flags.mockModel !== undefined && flags.baseUrl !== undefined)
    return 'Expected --mock-model or --base-url, and not both.';
  if (flags.mockModel !== undefined && !isLocal)
    return 'Expected an agent on this machine beside --mock-model: AgentCore does not reach a model on yours.';
  if (!isLocal && typeof flags.gateway === 'string' && flags.baseUrl !== undefined)
    return 'Expected --gateway or --base-url, and not both: with a gateway the agent goes there.';
  return undefined;
}

function repeatedArgument(text: string, previous: readonly string[] = []): string[] {
  return [...previous, filledArgument(text)];
}

function failureReward(text: string): number | 'none' {
  return text === 'none' ? text : numberArgument({ min: -1e9, max: 1e9, whole: false })(text);
}

function passAt(text: string, previous: Readonly<Record<number, number>> = {}): Record<number, number> {
  const [, k, share] = /^(\d+)=(0|1|0?\.\d+|1\.0+|\d+(?:\.\d+)?%)$/.exec(text) ?? [];
  const value =
    share === undefined ? Number.NaN : share.endsWith('%') ? Number(share.slice(0, -1)) / 100 : Number(share);
  if (k === undefined || Number(k) < 1 || !(value <= 1))
    throw new InvalidArgumentError(`Expected k=share such as 1=0.7, got ${JSON.stringify(text)}.`);
  return { ...previous, [Number(k)]: value };
}
