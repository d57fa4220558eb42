import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { filledArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art deploy agent.ts --dry-run                                  what would be written
  $ art deploy agent.ts --bucket my-results                        writes agentcore/, and starts the bundle once
  $ art deploy agent.ts --account 123456789012 --region us-west-2 --run
                                                                   and calls AWS's CLI: validate, package, deploy
  $ art deploy agent.ts --build container                          an image by a Dockerfile instead of one zip

It prepares what AWS's own command line deploys (npm install --save-dev @aws/agentcore): agentcore.json, a Dockerfile for --build
container, and policies with the smallest rights for the agent and for its client. Only --run needs that command and an account; it
uses the credentials of your environment, and this command reads none. A file that you have changed is kept, and what differs is
shown. An agent that does not start, or cannot be bundled, is told before anything is written.

Exit codes: 0 done; 18 the agent cannot be deployed as it is; 2 wrong usage; 3 AWS's CLI is not there, or has failed; 130 Ctrl-C.`;

function declared() {
  return new Command('deploy')
    .summary('prepare an agent for AWS, and deploy it with --run')
    .description(
      "Writes what AWS's CLI deploys an agent from, checks the agent, and calls that CLI with --run.",
    )
    .argument('[agent]', 'file that starts the agent (default: agent.ts, src/agent.ts or main.ts)')
    .addOption(
      new Option(
        '--build <kind>',
        "one bundled file on AWS's Node 22, or an image (default: as in agentcore.json, else codezip)",
      ).choices(['codezip', 'container'] as const),
    )
    .option(
      '--project <name>',
      'project on AWS, up to 23 letters and digits (default: that of agentcore.json, or of the package)',
      filledArgument,
    )
    .option('--name <name>', 'name of the agent in it (default: that of the file)', filledArgument)
    .option('--bucket <name>', 'where results go (default: they come back from the sessions)', filledArgument)
    .option(
      '--key-prefix <text>',
      'what their keys begin with: rights end there (default: the whole bucket)',
      filledArgument,
    )
    .option('--account <id>', 'account of AWS to deploy to, with --region', filledArgument)
    .option('--region <name>', 'region of AWS (default, with --account: $AWS_REGION)', filledArgument)
    .option(
      '--agent-runtime-arn <arn>',
      "a deployed agent: the client's policy names no other",
      filledArgument,
    )
    .option('--force', 'replace files that you have changed', false)
    .option('--dry-run', 'print what would be done, and write nothing', false)
    .option('--run', "call AWS's CLI: agentcore validate, package, deploy", false)
    .option('--json', "one JSON object a line; what AWS's CLI writes goes to stderr", false)
    .addHelpText('after', examples);
}

export type DeployOptions = OptionsOf<typeof declared> & { agent?: string | undefined };

/** `art deploy`: how it is written. What it does is in `deploy/run-deploy.ts`. */
export function deployCommand(run: (options: DeployOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action(async (agent, flags, command) => {
    if (flags.keyPrefix !== undefined && flags.bucket === undefined)
      command.error('error: Expected --bucket beside --key-prefix.');
    if (flags.dryRun && flags.run) command.error('error: Expected --dry-run or --run, and not both.');
    await run({ ...flags, agent });
  });
}
