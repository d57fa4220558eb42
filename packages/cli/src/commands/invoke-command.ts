import { Command } from 'commander';
import { rolloutFieldArgument } from '../arguments/key-value-argument.ts';
import { durationArgument } from '../arguments/number-argument.ts';
import { bucketArgument, filledArgument, textArgument, urlArgument } from '../arguments/text-argument.ts';
import type { InvokeOptions } from '../invoke/invoke-options.ts';

const examples = `
Examples:
  $ art invoke '{"prompt":"What is 6 times 7?"}'
  $ art invoke @problem.json --base-url http://127.0.0.1:8000/v1 --model-id qwen
  $ jq '.[0]' problems.json | art invoke - --set temperature=0.7
  $ art invoke '{}' --json | jq .reward
  $ art invoke '{}' --arn arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123 --bucket my-results

Without --arn the rollout goes to the "art dev" that runs in this folder or one above it. With --arn it goes to AgentCore
with the AWS credentials of the environment.
Exit codes: 0 ok; 2 wrong usage; 3 nothing to send it to; 10 agent_error; 11 timeout; 12 lost; 13 throttled; 14 rejected;
15 invalid_result; 130 Ctrl-C, which stops the session.`;

/** `art invoke`: how it is written. What it does is in `invoke/run-invoke.ts`. */
export function invokeCommand(run: (options: InvokeOptions) => Promise<void>): Command {
  return new Command('invoke')
    .summary('send one rollout and print what became of it')
    .description('Sends one rollout, waits for its result, stops its session, and prints the outcome.')
    .argument('<payload>', 'a JSON object; @file reads a file, - reads stdin')
    .option('--arn <arn>', 'runtime on AgentCore (default: the "art dev" of this folder)', filledArgument)
    .option('--qualifier <name>', 'endpoint of the runtime (default: DEFAULT)', filledArgument)
    .option('--bucket <name>', 'bucket that the result goes to (default: that of "art dev")', bucketArgument)
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
    .option('--model-id <id>', 'model at that endpoint', filledArgument)
    .option(
      '--set <field=value>',
      'further field of _rollout, JSON or text; repeatable',
      rolloutFieldArgument,
    )
    .option('--timeout-ms <ms>', 'longest time to the result', durationArgument(), 900_000)
    .option('--json', 'write the outcome as one JSON object', false)
    .addHelpText('after', examples)
    .action(async (payload: string, flags: Omit<InvokeOptions, 'payload'>) => run({ ...flags, payload }));
}
