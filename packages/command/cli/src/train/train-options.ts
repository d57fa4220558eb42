import { Command, Option } from '@commander-js/extra-typings';
import { environmentArgument } from '../arguments/key-value-argument.ts';
import { countArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { reachOption } from '../arguments/reach-option.ts';
import { otelOption, qualifierOption } from '../arguments/shared-options.ts';
import { bucketArgument, filledArgument, regionArgument, urlArgument } from '../arguments/text-argument.ts';
import { choiceFlags, type ChoiceValues, setArgument } from './choice-flags.ts';
import { taskFileArgument } from './task-files.ts';
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

Every choice of a run can be in train.config.ts, a module or JSON with the
names of @art/train: { learningRate: 1e-4, adam: { beta2: 0.99 },
sampling: { temperature: 1 }, service: { loraAlpha: 64 } }. A flag wins over
it, and --set adam.beta2=0.99 over both. --dry-run prints what comes of it.

The same command continues with a run from its last checkpoint. --tokenizer
is a folder with the model's tokenizer.json, tokenizer_config.json and chat
template: hf download <model> --include "tokenizer*" "chat_template*"
"generation_config.json" --local-dir <folder>
--on local trains a small random policy on this machine. It proves agent,
reward, rows, checkpoint and stop; its score means nothing. "art audit"
attacks a reward, which is best done before a training. TINKER_API_KEY,
and AWS's usual variables, are the keys. Prices are of a million tokens:
{"prompt":0.1,"sampled":0.4,"trained":0.5}.
An endpoint of a teacher is an address such as http://host:8000/v1, of vLLM
or SGLang; TEACHER_API_KEY is its key. Rewards count beside the teacher with
--set distillation.reward=1.

Ctrl-C finishes the step, saves and stops; a second one stops now. The
training session is stopped either way.
Exit codes: 0 ended in good order; 1 a guard stopped the run; 2 wrong usage;
3 a service does not answer; 130 Ctrl-C.`;

/** The options of `art train`. */
export function declaredTrain() {
  const command = new Command('train')
    .description(
      'Trains the model of an agent: rollouts, steps at a training service, new weights for the next rollouts.',
    )
    .argument('[agent...]', 'a file for Node, or a command, to run here (default: --agent-runtime-arn)');
  for (const { flags, about, read, usual } of choiceFlags)
    command.addOption(
      new Option(flags, usual === undefined ? about : `${about} (default: ${usual})`).argParser(read),
    );
  return command
    .option(
      '--config <file>',
      'choices in a file (default: train.config.ts where there is one)',
      filledArgument,
    )
    .option('--set <choice=value>', 'any choice of that file; repeatable', setArgument)
    .option(
      '--tasks <file[=weight]>',
      'what to train on: JSON lines, JSON, CSV, a folder or a module; repeatable, then each has its share of the draws',
      taskFileArgument,
    )
    .addOption(
      new Option('--on <service>', 'what makes the steps').choices(['local', 'sagemaker', 'tinker'] as const),
    )
    .option(
      '--teacher <weights or url>',
      'rewards each token by how likely a teacher finds it: weights as the service names them, or an endpoint that gives logprobs',
      filledArgument,
    )
    .option('--teacher-model <name>', 'what an endpoint calls the teacher', filledArgument)
    .option('--out <dir>', 'folder of the run (default: .art/train/<name of the agent>)', filledArgument)
    .addOption(trainModelOption())
    .addOption(trainLabelOption())
    .addOption(lineageOption())
    .option('--eval-tasks <file>', 'tasks that are not trained on, to measure versions with', filledArgument)
    .option('--prices <json>', 'prices of a million tokens, JSON or a file', filledArgument)
    .option('--base-model <model>', "of sagemaker an ARN, of tinker the server's name", filledArgument)
    .option('--tokenizer <dir>', 'folder with the tokenizer of that model', filledArgument)
    .option('--tool-parser <name>', 'format of the calls of tools that the model writes', filledArgument)
    .option('--reasoning-parser <name>', 'format of its reasoning', filledArgument)
    .option('--max-tokens <count>', 'longest answer where the agent does not say', countArgument())
    .option('--region <region>', 'sagemaker: where (default: AWS_REGION)', regionArgument)
    .option('--role-arn <arn>', 'sagemaker: the role that the session works as', filledArgument)
    .option('--output-s3 <address>', 'sagemaker: where weights go', filledArgument)
    .option('--tinker-url <url>', "tinker: another server that speaks Tinker's wire", urlArgument)
    .addOption(
      new Option('--tinker-encoding <name>', 'tinker: json for SkyRL before 0.4 (default: protobuf)').choices(
        ['json', 'protobuf'] as const,
      ),
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

export type TrainCommandOptions = OptionsOf<typeof declaredTrain> & { agent: string[] } & ChoiceValues;
