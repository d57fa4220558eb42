import { Command, Option } from '@commander-js/extra-typings';
import { ceilingOption, pricesOption, sampleCeilingOption } from '../arguments/ceiling-options.ts';
import { columnsOption, splitOption, tasksWords } from '../arguments/data-options.ts';
import { environmentArgument } from '../arguments/key-value-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { countArgument, durationArgument, numberArgument } from '../arguments/number-argument.ts';
import { reachOption } from '../arguments/reach-option.ts';
import {
  cacheOption,
  endpointOption,
  otelOption,
  qualifierOption,
  setOption,
  platformVersionOption,
} from '../arguments/shared-options.ts';
import { bucketArgument, filledArgument, urlArgument } from '../arguments/text-argument.ts';

/**
 * A command that evaluates an agent on tasks: which agent it is, where it runs, what its samples count, and where all is written down.
 * @param runs folder of its runs, `evals`
 * @param modelArgument reads `--model-id`
 * @param argument its words
 */
export function chosenAgentCommand<Model = string>(
  name: string,
  runs: string,
  modelArgument: (text: string, previous: Model | undefined) => Model,
  argument: readonly [name: '[agent...]', about: string] = [
    '[agent...]',
    'a file for Node, or a command (in quotes, or as several words)',
  ],
) {
  const score = numberArgument({ min: -1e9, max: 1e9, whole: false });
  return new Command(name)
    .argument(...argument)
    .option('--tasks <path>', tasksWords, filledArgument)
    .addOption(columnsOption())
    .addOption(splitOption())
    .option('--out <dir>', `folder of the run (default: .art/${runs}/<time>)`, filledArgument)
    .option(
      '--resume <dir>',
      'continue the run in this folder; options that are not given stay as before',
      filledArgument,
    )
    .option(
      '--reward <file>',
      'module whose default export judges (default: the reward of the agent)',
      filledArgument,
    )
    .option(
      '--judge-timeout-ms <ms>',
      'longest time of a judgement by --reward (default: 300000)',
      durationArgument,
    )
    .addOption(cacheOption(', and answers of the model (not on AgentCore)'))
    .option('--concurrency <count>', 'most sessions at once (default: 16)', countArgument(10_000))
    .option('--timeout-ms <ms>', 'longest time of a sample (default: 900000)', durationArgument)
    .option('--base-url <url>', 'OpenAI-compatible endpoint for the agent', urlArgument)
    .option('--model-id <id>', 'model at that endpoint', modelArgument)
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
    .addOption(reachOption())
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
    .addOption(platformVersionOption())
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
    .option('--pass-reward <reward>', 'reward from which a sample has passed (default: 1)', score)
    .option(
      '--failure-reward <reward>',
      'what a failure of the agent counts, or "none" to leave it out (default: 0)',
      failureReward,
    )
    .addOption(pricesOption())
    .addOption(ceilingOption())
    .addOption(sampleCeilingOption())
    .addOption(otelOption());
}

type Flags = OptionsOf<typeof chosenAgentCommand<string>>;

/** Which agent it is, and where it runs; `gateway` is false for none. */
export type AgentOptions = Flags & { agent: string[] };

/** Says what the options do not allow together; undefined where all is well. */
export function misuseOfAgent(agent: readonly string[], flags: Flags): string | undefined {
  const isLocal = flags.agentRuntimeArn === undefined;
  if (agent.length > 0 && !isLocal) return 'Expected an agent or --agent-runtime-arn, and not both.';
  if (flags.resume !== undefined && flags.out !== undefined)
    return 'Expected --out or --resume, and not both.';
  if (flags.resume !== undefined) return undefined;
  if (agent.length === 0 && isLocal) return 'Expected an agent such as agent.ts, or --agent-runtime-arn.';
  if (flags.tasks === undefined) return 'Expected --tasks with a file, a folder or a module.';
  if (isLocal && typeof flags.gateway === 'string')
    return 'Expected --agent-runtime-arn beside --gateway: an agent on this machine has its own gateway.';
  if (isLocal && flags.bucket !== undefined) return 'Expected --agent-runtime-arn beside --bucket.';
  if (!isLocal && flags.sessions !== undefined) return 'Expected an agent on this machine beside --sessions.';
  if (flags.platformVersion !== undefined && (!isLocal || flags.sessions === 'server'))
    return 'Expected an agent on this machine with a process for each session beside --platform-version.';
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

function failureReward(text: string): number | 'none' {
  return text === 'none' ? text : numberArgument({ min: -1e9, max: 1e9, whole: false })(text);
}
