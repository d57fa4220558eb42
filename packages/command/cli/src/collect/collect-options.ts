import { Command, Option } from '@commander-js/extra-typings';
import { environmentArgument } from '../arguments/key-value-argument.ts';
import { ceilingOption, pricesOption, sampleCeilingOption } from '../arguments/ceiling-options.ts';
import { countArgument, portArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { reachOption } from '../arguments/reach-option.ts';
import { otelOption, qualifierOption } from '../arguments/shared-options.ts';
import { bucketArgument, filledArgument, urlArgument } from '../arguments/text-argument.ts';

const examples = `
Examples:
  $ art collect agent.ts --base-url http://127.0.0.1:8000 --model-id policy
  $ art collect agent.ts --base-url http://127.0.0.1:8000 \\
      --cumulative-token-mode
  $ art collect --gateway http://127.0.0.1:9090
      agents of the "art dev" of this folder
  $ art collect \\
      --agent-runtime-arn arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123 \\
      --bucket my-results \\
      --gateway http://10.0.0.5:9090
  $ AGL_KEY=secret art collect agent.ts \\
      --agent-lightning http://127.0.0.1:8080
      rollouts of Agent Lightning 1.0
  $ PYTHONPATH=$(art collect --python-path) python train.py
  $ curl -N http://127.0.0.1:9292/groups \\
      -H 'content-type: application/json' \\
      -d '{ "request_id": "step-1", "inputs": [{ "prompt": "2 + 3" }],
            "rollouts_per_input": 8, "row_format": "trl" }'

A trainer asks for groups with POST /groups and gets one JSON line for each
group as the group settles. After a crash of either side the trainer sends
the same request id again: groups that it has not acknowledged come again,
and no rollout runs twice. The README of @art/collect has all routes and
fields.

With ART_COLLECT_TOKEN trainers must send that token. The gateway of
--gateway gets ART_GATEWAY_ADMIN_TOKEN.
A rollout that the ceiling of all cuts off is "cancelled" with
ART_RUN_CEILING_REACHED, and has no reward; one that wants more than
--sample-ceiling is "ceiling". --state keeps what was spent.

SIGTERM leaves sessions on AgentCore at work, for the next process with the
same --state. Ctrl-C stops all sessions.
Exit codes: 0 ended by a signal, or by the end of stdin with --stdio; 2
wrong usage; 3 the port is taken, the agent has ended, or something else
that is needed is missing.`;

/** The options of `art collect`. */
export function declaredCollect() {
  return new Command('collect')
    .description(
      'Runs rollouts for a trainer in another process, over HTTP or stdin: groups with outcomes, rewards, advantages, and rows\nin the shape of TRL, verl, slime, rllm, prime-rl or tinker.',
    )
    .argument(
      '[agent...]',
      'a file for Node, or a command, to run here (default: the "art dev" of this folder)',
    )
    .addOption(
      new Option(
        '--sessions <how>',
        'an agent that runs here: one process for all sessions, or one process each',
      )
        .choices(['server', 'processes'] as const)
        .default('server'),
    )
    .option('--env <KEY=VALUE>', 'variable for the agent; repeatable', environmentArgument)
    .option('--env-file <file>', 'file with variables for the agent; --env wins', filledArgument)
    .option('--agent-runtime-arn <arn>', 'runtime on AgentCore, in place of an agent', filledArgument)
    .addOption(qualifierOption())
    .option(
      '--bucket <name>',
      'bucket for the results (default: results come from the sessions)',
      bucketArgument,
    )
    .option('--endpoint <url>', 'where AgentCore and S3 are; needs --agent-runtime-arn', urlArgument)
    .option('--base-url <url>', 'inference server, captured by a gateway of this process', urlArgument)
    .option('--gateway <url>', 'gateway that runs already, in place of --base-url', urlArgument)
    .option(
      '--agent-gateway <url>',
      'URL by which agents reach the gateway (default: that of --gateway, or of --agent-lightning)',
      urlArgument,
    )
    .addOption(
      new Option(
        '--agent-lightning <url>',
        'run the rollouts of this server of Agent Lightning 1.0, in place of serving HTTP; it is the gateway too, and AGL_KEY its key',
      )
        .argParser(urlArgument)
        .conflicts(
          'baseUrl gateway reach cumulativeTokenMode ceiling sampleCeiling prices host port token stdio'.split(
            ' ',
          ),
        ),
    )
    .addOption(reachOption())
    .option(
      '--cumulative-token-mode',
      'later turns continue the tokens of earlier ones, in the gateway of --base-url (vLLM 0.32, SGLang 0.5.13)',
      false,
    )
    .option('--model-id <id>', 'model that agents ask for', filledArgument)
    .addOption(ceilingOption('all requests of --state'))
    .addOption(sampleCeilingOption('rollout'))
    .addOption(pricesOption())
    .option('--exp-id <id>', 'experiment, the first part of result keys', filledArgument, 'collect')
    .option(
      '--concurrency <count>',
      'most sessions of a request at once, unless the request sets it',
      countArgument(100_000),
      64,
    )
    .option(
      '--state <folder>',
      'folder for what must outlive this process: requests, groups, journal',
      filledArgument,
      '.art/collect',
    )
    .option('--host <address>', 'address to listen on', filledArgument, '127.0.0.1')
    .option('--port <number>', 'port; 0 takes a free one', portArgument, 9_292)
    .option(
      '--token <token>',
      'token that trainers must send; ART_COLLECT_TOKEN hides it from other users',
      filledArgument,
    )
    .option('--stdio', 'serve lines of stdin in place of HTTP', false)
    .option('--python-path', 'print the folder of art_collect.py, for PYTHONPATH, and end', false)
    .addOption(otelOption())
    .option('--json', 'write events as JSON lines on stdout', false)
    .addHelpText('after', examples);
}

export type CollectOptions = OptionsOf<typeof declaredCollect> & { agent: string[] };
