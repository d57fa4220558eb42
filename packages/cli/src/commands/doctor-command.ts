import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { filledArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art doctor agent.ts --payload '{"prompt":"6*7","answer":"42"}'    starts the agent and checks it; 15 seconds
  $ art doctor -- npx tsx agent.ts                                    the way in which your container starts it
  $ art doctor dist/main.js                                           one file: also whether it starts alone, how fast, how large
  $ art doctor my-agent:latest                                        an image, by its tag; needs docker, podman or finch
  $ art doctor http://127.0.0.1:8080                                  an agent that runs already
  $ art doctor arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/math-abc123 --bucket my-results
                                                                      your rights and ways to it; starts no session
A fault makes rollouts or requests fail, a warning costs somebody something. What only follows from another fault is skipped.

Exit codes: 0 no fault; 18 faults; 2 wrong usage; 3 an obstacle of this machine.`;

function declared() {
  return new Command('doctor')
    .summary('find out what is wrong with an agent, or with the way to it')
    .description('Checks an agent for what AgentCore, trainers and users stumble over.')
    .argument(
      '<agent...>',
      'a file, a command, an image with its tag, the URL of a running agent, or the ARN of one on AgentCore',
    )
    .option(
      '--payload <json>',
      'a request that the agent can answer: JSON, @file, or - for stdin',
      filledArgument,
      '{"prompt":"What is 6 times 7?","answer":"42"}',
    )
    .option('--bucket <name>', 'with an ARN: the bucket of the results', filledArgument)
    .option('--gateway <url>', 'with an ARN: the model gateway', filledArgument)
    .option('--qualifier <name>', 'with an ARN: endpoint of the runtime (default: DEFAULT)', filledArgument)
    .option('--json', 'one JSON object a finding', false)
    .addHelpText('after', examples);
}

export type DoctorOptions = OptionsOf<typeof declared> & { agent: string[] };

/** `art doctor`: how it is written. What it does is in `doctor/run-doctor.ts`. */
export function doctorCommand(run: (options: DoctorOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action((agent, flags) => run({ ...flags, agent }));
}
