import { Command, Option } from '@commander-js/extra-typings';
import { ceilingOption, pricesOption, sampleCeilingOption } from '../arguments/ceiling-options.ts';
import { countArgument, durationArgument, failuresArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { reachOption } from '../arguments/reach-option.ts';
import { journalOption, qualifierOption, setOption } from '../arguments/shared-options.ts';
import {
  bucketArgument,
  filledArgument,
  runArgument,
  textArgument,
  urlArgument,
} from '../arguments/text-argument.ts';

const examples = `
Examples:
  $ art invoke '{"prompt":"What is 6 times 7?"}'
  $ art invoke @problem.json --base-url http://127.0.0.1:8000/v1 \\
      --model-id qwen
  $ jq '.[0]' problems.json | art invoke - --set temperature=0.7
  $ art invoke '{}' --json | jq .reward
  $ art invoke '{}' \\
      --arn arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123 \\
      --bucket my-results
  $ art invoke '{}' --wire rip
      without a bucket: over the Runtime Invocation Protocol
  $ art invoke '{"prompt":"6*7"}' --gateway http://127.0.0.1:9090 \\
      --model-id qwen
      captured: prints turns and rows
  $ art invoke --payloads problems.jsonl --concurrency 32 \\
      --out results.jsonl
  $ art invoke --payloads problems.jsonl --concurrency 32 \\
      --out results.jsonl --journal .art/runs

Without --arn the rollout goes to the "art dev" of this folder, or of one
above it. With --arn it goes to AgentCore with the AWS credentials of the
environment. The gateway of --gateway gets ART_GATEWAY_ADMIN_TOKEN.

With --payloads the command sends every line of the file, or every item of
its array. It writes one JSON line for each outcome, in the order in which
outcomes come. stderr shows the progress and the first error of each kind.
--ceiling needs --gateway, which counts and refuses further calls of the
model. What it cuts off is not ok and no failure: "art resume" with a higher
ceiling sends it again.

With --journal the command records the run, and "art resume" continues it
after a crash.
A run ends early when its first 5 sessions all fail to start for one reason,
or when more rollouts fail than --max-failures allows. --max-failures none
switches both rules off.

Exit codes: 0 all ok; 2 wrong usage; 3 no agent to send to, a store that
cannot be read, or a run that its failures ended; 10 agent_error; 11
timeout; 12 lost; 13 throttled; 14 rejected; 15 invalid_result; 17
infra_error; 19 ceiling; 16 some rollouts of --payloads are not ok, or the
ceiling has ended the batch; 130 Ctrl-C, which stops the sessions.`;

/** The options of `art invoke`. */
export function declaredInvoke() {
  return new Command('invoke')
    .description('Sends one rollout, waits for its result, stops its session, and prints the outcome.')
    .argument('[payload]', 'a JSON object; @file reads a file, - reads stdin')
    .option('--arn <arn>', 'runtime on AgentCore (default: the "art dev" of this folder)', filledArgument)
    .addOption(qualifierOption())
    .option(
      '--bucket <name>',
      'bucket for the result (default: that of "art dev"; without a bucket the result comes from the session)',
      bucketArgument,
    )
    .addOption(
      new Option(
        '--wire <wire>',
        's3: the result comes from the bucket; rip: from the session (default: s3 where there is a bucket)',
      ).choices(['s3', 'rip'] as const),
    )
    .option('--endpoint <url>', 'where AgentCore and S3 are; needs --arn (default: AWS)', urlArgument)
    .option('--exp-id <id>', 'experiment, the first part of the result key', filledArgument, 'art-invoke')
    .option('--input-id <id>', 'dataset item (default: generated)', filledArgument)
    .option(
      '--session-id <id>',
      'session, reused where it lives (default: a random UUID)',
      textArgument(
        /^[a-zA-Z0-9][a-zA-Z0-9_-]{32,255}$/,
        '33 to 256 letters, digits, "-" and "_" that start with a letter or digit',
      ),
    )
    .option('--base-url <url>', 'OpenAI-compatible endpoint for the agent', urlArgument)
    .option('--gateway <url>', 'gateway that runs and captures, in place of --base-url', urlArgument)
    .option(
      '--agent-gateway <url>',
      'URL by which agents reach the gateway (default: that of --gateway)',
      urlArgument,
    )
    .addOption(reachOption())
    .option('--model-id <id>', 'model at that endpoint, or behind the gateway', filledArgument)
    .addOption(setOption())
    .addOption(ceilingOption('the batch'))
    .addOption(sampleCeilingOption('rollout'))
    .addOption(pricesOption())
    .option('--timeout-ms <ms>', 'longest time to the result', durationArgument, 900_000)
    .option('--json', 'write the outcome as one JSON object', false)
    .option(
      '--payloads <file>',
      'send all of these instead: JSON lines or an array; - reads stdin',
      filledArgument,
    )
    .option(
      '--concurrency <count>',
      'most sessions at once, with --payloads (default: 8)',
      countArgument(100_000),
    )
    .option(
      '--max-failures <limit>',
      'end the run when more fail, with --payloads: a count, a share like 20%, or none (see below)',
      failuresArgument,
    )
    .option('--no-store-check', 'do not check first whether results can be read')
    .option(
      '--out <file>',
      'append the outcomes to this file, with --payloads (default: stdout)',
      filledArgument,
    )
    .addOption(journalOption().default(undefined, 'none'))
    .option('--run <id>', 'id of the run in the journal (default: generated)', runArgument)
    .addHelpText('after', examples);
}

type Flags = OptionsOf<typeof declaredInvoke>;

/** One rollout. */
export type InvokeCommandOptions = Omit<
  Flags,
  'payloads' | 'concurrency' | 'out' | 'journal' | 'run' | 'maxFailures'
> & { payload: string };

/** A file of them. */
export type BatchRunOptions = Omit<Flags, 'payloads' | 'concurrency' | 'json' | 'sessionId' | 'inputId'> & {
  payloads: string;
  concurrency: number;
};

/** Says what the options do not allow together; undefined where all is well. */
export function misuseOfInvoke(payload: string | undefined, flags: Flags): string | undefined {
  if (payload === undefined && flags.payloads === undefined) return 'Give a payload, or --payloads FILE.';
  if (payload !== undefined && flags.payloads !== undefined)
    return 'Expected a payload or --payloads, and not both.';
  const ofOther =
    flags.payloads === undefined
      ? (['concurrency', 'maxFailures', 'out', 'journal', 'run'] as const)
      : (['sessionId', 'inputId'] as const);
  const wrong = ofOther.find((name) => flags[name] !== undefined);
  if (flags.gateway !== undefined && flags.baseUrl !== undefined)
    return 'Expected --gateway or --base-url, and not both: with a gateway the agent goes there.';
  if (flags.agentGateway !== undefined && flags.gateway === undefined)
    return 'Expected --gateway beside --agent-gateway: it is the same one, as agents reach it.';
  if (flags.wire === 'rip' && flags.bucket !== undefined)
    return 'Expected no --bucket beside --wire rip: the result is taken from the session.';
  if (wrong !== undefined)
    return `Expected no --${toFlag(wrong)} ${flags.payloads === undefined ? 'without' : 'beside'} --payloads.`;
  return flags.run !== undefined && flags.journal === undefined
    ? 'Expected --journal beside --run: without one there is nothing to record.'
    : undefined;
}

function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
