import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { countArgument, failuresArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { baselinesOption, reduceOption } from '../arguments/shared-options.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import { chosenAgentCommand } from './agent-options.ts';

const examples = `
Examples:
  $ art eval agent.ts --tasks tasks.jsonl --mock-model model.ts
      a script plays the model
  $ art eval agent.ts --tasks tasks.jsonl --samples 4
  $ art eval agent.ts --tasks gsm8k-test.jsonl --limit 100 \\
      --base-url http://127.0.0.1:8000/v1 --model-id qwen
  $ art eval agent.ts --tasks tasks.csv --reward ./reward.ts \\
      --min-reward 0.8 --confident --junit report.xml
  $ art eval \\
      --agent-runtime-arn arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123 \\
      --bucket my-results --tasks tasks.jsonl
  $ art eval agent.ts --tasks tasks.jsonl --sample 50 --seed 7 --tag hard
  $ art eval agent.ts --tasks tasks.jsonl \\
      --failed-only .art/evals/20260131-120000-3f9a1c
  $ art eval agent.ts --tasks tasks.jsonl \\
      --until "difference from .art/evals/main > 0"
  $ art eval --plan "difference > 0.05" --plan-from .art/evals/main \\
      --tasks tasks.jsonl
      how large must it be?
  $ art eval agent.ts --tasks tasks.jsonl --prices prices.json \\
      --ceiling 5usd --sample-ceiling "20 calls"
  $ art eval --resume .art/evals/20260131-120000-3f9a1c
      after Ctrl-C or a crash
  $ art eval --resume .art/evals/20260131-120000-3f9a1c --samples 8
      add samples
  $ art ctl pause
      from another terminal

A task is a JSON object: its payload alone, or {"id", "payload", "tags",
"expected"}. A table (CSV, TSV, Parquet) has the columns id, tags (separated
by ";") and expected; all other columns are the payload. --columns
prompt=question,expected=answer takes the columns of the data by other
names. A folder has such files, or is a data set of Hugging Face with its
splits. A module (.ts, .js) exports an async iterable.
The reward is the agent's own "reward", or comes from the default export of
--reward: a RewardFunction, or a function of { task, document, transcript }
that returns a number or { reward, metrics }. Metrics are named numbers that
reports show beside the reward. An agent may return metrics, too.
Samples whose infrastructure failed are tried again, then excluded from the
mean. They never count as 0. A failure of the agent itself counts as 0, or
as --failure-reward says.
--until asks the tasks in an order drawn by --seed, and ends the run when
the goal or its opposite holds with 95 %, or when the tasks that are left
would hardly show it. It may be looked at after every task: that is allowed
for.
--ceiling ends the run where it is spent; what is missing is no failure, and
runs with --resume and a higher one. A sample beyond --sample-ceiling ends
as "ceiling", and counts as --failure-reward says. The gateway counts:
what a judge calls is not in it.

--resume takes tasks in another order, fewer or more. A task that has
samples must be as it was.
The gateway of --gateway gets ART_GATEWAY_ADMIN_TOKEN.
Exit codes: 0 done, and every threshold and the goal is reached; 1 a
threshold is not reached, or the opposite of the goal holds; 2 wrong usage;
3 not judged: too many samples are excluded, none has a reward, the goal is
undecided, a ceiling has cut samples off, or something that is needed is
missing; 130 Ctrl-C, which stops the sessions.`;

/** The options of `art eval`. */
export function declaredEval() {
  const score = numberArgument({ min: -1e9, max: 1e9, whole: false });
  return chosenAgentCommand('eval', 'evals', filledArgument)
    .description(
      'Runs an agent on tasks, on this machine or on AgentCore, and prints mean reward, pass@k and costs with their intervals.',
    )
    .option('--samples <count>', 'how often each task is tried (default: 1)', countArgument(1_000_000))
    .addOption(reduceOption())
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
    .option(
      '--max-failures <limit>',
      'samples that may be excluded: a count, a share like 10%, or none (default: 10%)',
      failuresArgument,
    )
    .option('--min-reward <reward>', 'threshold of the mean reward', score)
    .option('--min-pass-at <k=share>', 'threshold of pass@k, such as 1=0.7; repeatable', passAt)
    .option(
      '--min-tasks <k=share>',
      'threshold of the share of tasks of which at least k samples pass, such as 2=0.9; repeatable',
      passAt,
    )
    .option(
      '--confident',
      'compare thresholds with a lower end that holds with 97.5 %, whatever the rewards are like',
      false,
    )
    .option(
      '--until <goal>',
      'end as soon as this is answered: "mean >= 0.8", "pass@1 > 70%", "difference from DIR > 0", "width < 0.05"',
      filledArgument,
    )
    .option(
      '--plan <goal>',
      'send nothing, and say how many tasks and samples this takes, and what they cost: "0.05", the width of the interval, or "difference > 0.05"',
      filledArgument,
    )
    .option(
      '--plan-from <dir>',
      'earlier run that --plan rests on; a second one of the other agent for a difference (default: the worst case)',
      repeatedArgument,
    )
    .addOption(rewardRangeOption('--confident and --until'))
    .addOption(seedOption('--sample draws tasks, and --until their order'))
    .option(
      '--save-as <name>',
      'keep the finished run under a name, for "art compare --baseline" and --until',
      filledArgument,
    )
    .addOption(baselinesOption())
    .option('--junit <file>', 'write JUnit XML', filledArgument)
    .option('--summary <file>', 'append a Markdown summary (default: $GITHUB_STEP_SUMMARY)', filledArgument)
    .option('--watch', 'open a page that shows the run live; it stays until Ctrl-C', false)
    .option('--export <file>', 'write the page of the run into one HTML file', filledArgument)
    .option('--json', 'write the figures as one JSON object', false)
    .addHelpText('after', examples);
}

/** Rewards that a task can give. */
export function rewardRangeOption(forWhat = '--until') {
  return new Option(
    '--reward-range <least:most>',
    `rewards that a task can give, for ${forWhat} (default: 0:1)`,
  ).argParser(rangeArgument);
}

export function seedOption(what = '--until draws the order of the tasks') {
  return new Option('--seed <number>', `seed by which ${what} (default: 0)`).argParser(
    numberArgument({ min: 0, max: 2 ** 32 - 1 }),
  );
}

type Flags = OptionsOf<typeof declaredEval>;

/** Options of the command; with `resume`, those that are left out are as the run was started with. `gateway` is false for none. */
export type EvalOptions = Flags & { agent: string[] };

export function repeatedArgument(text: string, previous: readonly string[] = []): string[] {
  return [...previous, filledArgument(text)];
}

function rangeArgument(text: string): [number, number] {
  const [least, most, ...others] = text
    .split(':')
    .map((bound) => (bound.trim() === '' ? NaN : Number(bound)));
  if (others.length > 0 || !Number.isFinite(least) || !Number.isFinite(most) || !(least! < most!))
    throw new InvalidArgumentError(`Expected least:most such as 0:5 or -1:1, got ${JSON.stringify(text)}.`);
  return [least!, most!];
}

function passAt(text: string, previous: Readonly<Record<number, number>> = {}): Record<number, number> {
  const [, k, share] = /^(\d+)=(0|1|0?\.\d+|1\.0+|\d+(?:\.\d+)?%)$/.exec(text) ?? [];
  const value =
    share === undefined ? Number.NaN : share.endsWith('%') ? Number(share.slice(0, -1)) / 100 : Number(share);
  if (k === undefined || Number(k) < 1 || !(value <= 1))
    throw new InvalidArgumentError(`Expected k=share such as 1=0.7, got ${JSON.stringify(text)}.`);
  return { ...previous, [Number(k)]: value };
}
