import { Command, Option } from '@commander-js/extra-typings';
import { environmentArgument } from '../arguments/key-value-argument.ts';
import { countArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { reachOption } from '../arguments/reach-option.ts';
import { otelOption, qualifierOption } from '../arguments/shared-options.ts';
import { bucketArgument, filledArgument, urlArgument } from '../arguments/text-argument.ts';
import { lineageOption, trainLabelOption, trainModelOption } from '../arguments/train-choice.ts';

const examples = `
Examples:
  $ art train agent.ts --tasks tasks.jsonl --on local --steps 2
      a rehearsal: no GPU, no account, no costs
  $ art train agent.ts --tasks train.jsonl --eval-tasks held-out.jsonl \\
      --eval-every 10 --on tinker \\
      --base-model Qwen/Qwen3-8B --tokenizer ./qwen3-8b --tool-parser qwen \\
      --prices prices.json --budget 50
  $ art train agent.ts --tasks train.jsonl --on sagemaker \\
      --base-model arn:aws:sagemaker:us-west-2:aws:hub-content/... \\
      --role-arn arn:aws:iam::123456789012:role/training-session \\
      --output-s3 s3://my-bucket/training --tokenizer ./gpt-oss-20b
  $ art train list
  $ art train stop --all

The same command goes on with a run from its last checkpoint. --tokenizer is
a folder with the model's tokenizer.json, tokenizer_config.json and chat
template: hf download <model> --include "tokenizer*" "chat_template*"
"generation_config.json" --local-dir <folder>
--on local trains a small random policy on this machine. It proves agent,
reward, rows, checkpoint and stop; its score means nothing. TINKER_API_KEY,
and AWS's usual variables, are the keys. Prices are of a million tokens:
{"prompt":0.1,"sampled":0.4,"trained":0.5}.

Ctrl-C finishes the step, saves and stops; a second one stops now. The
training session is stopped either way.
Exit codes: 0 ended in good order; 1 a guard stopped the run; 2 wrong usage;
3 a service does not answer; 130 Ctrl-C.`;

const positive = numberArgument({ min: Number.MIN_VALUE, whole: false });

/** The options of `art train`. */
export function declaredTrain() {
  return new Command('train')
    .description(
      'Trains the model of an agent: rollouts, steps at a training service, new weights for the next rollouts.',
    )
    .argument('[agent...]', 'a file for Node, or a command, to run here (default: --agent-runtime-arn)')
    .option('--tasks <file>', 'what to train on: JSON lines, JSON, CSV, a folder or a module', filledArgument)
    .addOption(
      new Option('--on <service>', 'what makes the steps').choices(['local', 'sagemaker', 'tinker'] as const),
    )
    .option('--out <dir>', 'folder of the run (default: .art/train/<name of the agent>)', filledArgument)
    .option('--steps <count>', 'steps in all', countArgument(), 100)
    .option('--groups <count>', 'groups of rollouts in a step', countArgument(), 8)
    .option('--rollouts <count>', 'rollouts in a group, for one task', numberArgument({ min: 2 }), 8)
    .option('--learning-rate <rate>', 'at most 0.01', positive, 4e-5)
    .addOption(
      new Option('--loss <name>', 'loss of a step')
        .choices(['importance_sampling', 'ppo', 'cispo'] as const)
        .default('ppo'),
    )
    .option(
      '--max-steps-off-policy <count>',
      '1: the trainer does not wait for the slowest rollout',
      numberArgument({ min: 0 }),
      0,
    )
    .option(
      '--max-version-lag <steps>',
      'leave out rows of weights that many steps ago (default: none)',
      numberArgument({ min: 0 }),
    )
    .option(
      '--kl <coefficient>',
      'what staying near the base model is worth',
      numberArgument({ min: 0, whole: false }),
      0,
    )
    .addOption(trainModelOption())
    .addOption(trainLabelOption())
    .addOption(lineageOption())
    .option('--max-rollout-ms <ms>', 'ends a rollout that hangs', countArgument(), 900_000)
    .option('--concurrency <count>', 'most sessions at once (default: all of a step)', countArgument(10_000))
    .option('--checkpoint-every <steps>', 'steps between two states', countArgument(), 20)
    .option('--seed <number>', 'of the order of the tasks', numberArgument({ min: 0 }), 0)
    .option('--eval-tasks <file>', 'tasks that are not trained on, to measure versions with', filledArgument)
    .option('--eval-every <steps>', 'steps between two measurements', countArgument(), 10)
    .option(
      '--stop-at <score>',
      'end when a measurement has this mean',
      numberArgument({ min: -Number.MAX_VALUE, whole: false }),
    )
    .option('--patience <count>', 'end after so many measurements without progress', countArgument())
    .option('--prices <json>', 'prices of a million tokens, JSON or a file', filledArgument)
    .option('--budget <money>', 'end when so much was spent; needs --prices', positive)
    .option('--budget-tokens <count>', 'end when so many tokens of all kinds were used', countArgument())
    .option(
      '--reward-min <reward>',
      'least reward that there can be',
      numberArgument({ min: -Number.MAX_VALUE, whole: false }),
    )
    .option(
      '--reward-max <reward>',
      'greatest one; one outside stops the run',
      numberArgument({ min: -Number.MAX_VALUE, whole: false }),
    )
    .option('--base-model <model>', "of sagemaker an ARN, of tinker the server's name", filledArgument)
    .option('--tokenizer <dir>', 'folder with the tokenizer of that model', filledArgument)
    .option('--tool-parser <name>', 'format of the calls of tools that the model writes', filledArgument)
    .option('--reasoning-parser <name>', 'format of its reasoning', filledArgument)
    .option('--max-tokens <count>', 'longest answer where the agent does not say', countArgument())
    .option('--lora-rank <rank>', 'of the adapter', countArgument(256), 32)
    .option('--region <region>', 'sagemaker: where (default: AWS_REGION)', filledArgument)
    .option('--role-arn <arn>', 'sagemaker: the role that the session works as', filledArgument)
    .option('--output-s3 <address>', 'sagemaker: where weights go', filledArgument)
    .option('--tinker-url <url>', "tinker: another server that speaks Tinker's wire", urlArgument)
    .addOption(
      new Option('--tinker-encoding <name>', 'tinker: json for SkyRL (default: protobuf)').choices([
        'json',
        'protobuf',
      ] as const),
    )
    .option('--env <KEY=VALUE>', 'variable for the agent; repeatable', environmentArgument)
    .option('--env-file <file>', 'file with variables for it; --env wins', filledArgument)
    .option('--model-id <id>', 'name of the model for the agent', filledArgument, 'policy')
    .option('--agent-runtime-arn <arn>', 'runtime on AgentCore, in place of an agent', filledArgument)
    .addOption(qualifierOption())
    .option('--bucket <name>', 'bucket that results go to (default: taken from the sessions)', bucketArgument)
    .option('--endpoint <url>', 'where AgentCore and S3 are; needs --agent-runtime-arn', urlArgument)
    .option(
      '--gateway-port <port>',
      'port of the gateway that agents call (default: a free one)',
      numberArgument({ min: 0, max: 65_535 }),
    )
    .option('--gateway-host <host>', 'address that it listens on', filledArgument, '127.0.0.1')
    .option(
      '--agent-gateway <url>',
      'the gateway as agents reach it; with --agent-runtime-arn this or --reach is needed',
      urlArgument,
    )
    .addOption(reachOption())
    .option('--dry-run', 'say what would be done, and what it would cost at most; start nothing', false)
    .addOption(otelOption())
    .option('--json', 'write a JSON object for each step', false)
    .addHelpText('after', examples);
}

export type TrainCommandOptions = OptionsOf<typeof declaredTrain> & { agent: string[] };
