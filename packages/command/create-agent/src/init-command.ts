import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type Framework, frameworks } from './frameworks.ts';

/** `art init` as its user wants it. What is left out is asked for, or with `yes` the default. */
export interface InitOptions {
  folder?: string | undefined;
  framework?: Framework | undefined;
  name?: string | undefined;
  yes: boolean;
  /** Only the skills for coding agents, into a project that exists. */
  skills: boolean;
}

const help = (command: string, dashes: string): string => `
Examples:
  $ ${command}                                        asks
  $ ${command} my-agent ${dashes}--framework strands
  $ ${command} my-agent ${dashes}--framework mastra --name @acme/maths --yes
  $ ${command} . ${dashes}--skills
      for a project that you have

The project has the agent, a reward, ten tasks, a Dockerfile, what AWS's
command line deploys, a workflow that evaluates each push, and skills for
coding agents. Nothing is installed. Afterwards, in its folder: "npm
install", and "npm run eval" for a first table, with a script as the model.
Exit codes: 0 written; 2 wrong usage, or the folder is not empty.`;

/** How `art init` and `npm create @art/agent` are written. */
export function initCommand(
  run: (options: InitOptions) => Promise<void>,
  called: { name: string; command: string; dashes: string } = {
    name: 'init',
    command: 'art init',
    dashes: '',
  },
): CommandUnknownOpts {
  return new Command(called.name)
    .description(
      'Writes a small project with an agent that runs, is evaluated, and can be trained and deployed.',
    )
    .argument('[dir]', 'folder for it, new or empty (default: my-agent)')
    .addOption(
      new Option('--framework <name>', 'what the agent is built on (default: openai)').choices(frameworks),
    )
    .option('--name <name>', 'of its package (default: that of the folder)')
    .option('--yes', 'ask nothing, take the defaults', false)
    .addOption(
      new Option('--skills', 'only the skills for coding agents, into a project that exists')
        .default(false)
        .conflicts(['framework', 'name']),
    )
    .addHelpText('after', help(called.command, called.dashes))
    .action((folder, flags) => run({ ...flags, folder }));
}
