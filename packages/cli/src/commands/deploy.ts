import {
  type AgentCoreCall,
  deployCalls,
  type Deployment,
  planDeployment,
  runDeployCalls,
  writePlannedFiles,
} from '@art/deploy';
import type { Finding } from '@art/doctor';
import { refuseOption } from '@art/protocol';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { readPayload } from '../arguments/read-payload.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { checkDeployment } from '../deploy/check-deployment.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { formatFinding } from '../terminal/format-finding.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';

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
shown; others are brought up to date, and options of earlier calls stay (agentcore/art.json). An agent that does not start, cannot be
bundled, or cannot answer one rollout in its bundle, is told before anything is written.

Exit codes: 0 done; 18 the agent cannot be deployed as it is; 2 wrong usage; 3 AWS's CLI is not there, or has failed; 130 Ctrl-C.`;

function declared() {
  return new Command('deploy')
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
      'their folder, rights end there; math-* for all that begin so (default: the whole bucket)',
      filledArgument,
    )
    .option('--account <id>', 'account of AWS to deploy to, with --region', filledArgument)
    .option('--region <name>', 'region of AWS (default, with --account: $AWS_REGION)', filledArgument)
    .option(
      '--agent-runtime-arn <arn>',
      "a deployed agent: the client's policy names no other",
      filledArgument,
    )
    .option(
      '--payload <json>',
      'a request that the agent can answer, for one rollout before anything is written: JSON, @file, or - for stdin',
      filledArgument,
      '{"prompt":"What is 6 times 7?","answer":"42"}',
    )
    .option('--force', 'replace files that you have changed; networks stay', false)
    .option('--dry-run', 'print what would be done, and write nothing', false)
    .option('--run', "call AWS's CLI: agentcore validate, package, deploy", false)
    .option('--json', "one JSON object a line; what AWS's CLI writes goes to stderr", false)
    .addHelpText('after', examples);
}

export type DeployOptions = OptionsOf<typeof declared> & { agent?: string | undefined };

/** The command line of `art deploy`. */
export function deployCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runDeploy);
  return declared().action(async (agent, flags, command) => {
    if (flags.keyPrefix !== undefined && flags.bucket === undefined)
      command.error('error: Expected --bucket beside --key-prefix.');
    if (flags.dryRun && flags.run) command.error('error: Expected --dry-run or --run, and not both.');
    await run({ ...flags, agent });
  });
}

/** What `art deploy` tells, with `--json` an object a line. */
type DeployEvent =
  | {
      event: 'plan';
      agent: string;
      project: string;
      name: string;
      build: Deployment['build'];
      files: Pick<Deployment['files'][number], 'path' | 'action' | 'differences'>[];
      notes: string[];
    }
  | ({ event: 'finding' } & Finding)
  | { event: 'prepared'; size?: string; start?: string; missingRights: string[] }
  | { event: 'command'; command: string }
  | { event: 'deployed' };

/**
 * `art deploy`: prepares what AWS's CLI deploys, checks that it starts, and calls that CLI where it is told to.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_AGENTCORE_CLI`
 */
export function runDeploy(options: DeployOptions, context: CliContext): Promise<number> {
  const { stdout, stderr, env, cwd } = context;
  const { json, dryRun, run } = options;
  const paint = createPaint(stdout, env);
  const tell = eventWriter<DeployEvent>(context, json, describeEvent);
  /** What only people need between two events. */
  const say = (text: string): void => void (json || stdout.write(text));
  const tellCall = ({ args, because }: AgentCoreCall): void => {
    const command = ['agentcore', ...args].join(' ');
    tell({ event: 'command', command });
    say(`${paint('bold', `$ ${command}`)}${because === undefined ? '' : `  (${because})`}\n`);
  };
  return interruptible(context, async ({ signal }) => {
    const deployment = await planDeployment(wanted(options, env), cwd);
    const { files, notes, project, name, agent, build, missingRights } = deployment;
    tell({
      event: 'plan',
      agent,
      project,
      name,
      build,
      files: files.map(({ path, action, differences }) => ({ path, action, differences })),
      notes,
    });
    if (dryRun) {
      say("Nothing was written. It would be deployed by AWS's CLI with:\n");
      for (const call of deployCalls(cwd, project)) tellCall(call);
      return exitCodes.ok;
    }
    // Before anything is written: what cannot start is not worth a file.
    const payload = await readPayload(options.payload, context, signal);
    const findings = await checkDeployment(deployment, { cwd, env, payload }, signal, (finding) =>
      tell({ event: 'finding', ...finding }),
    );
    if (findings.some(({ verdict }) => verdict === 'fault')) {
      say('\nNothing was written.\n');
      return exitCodes.faultsFound;
    }
    await writePlannedFiles(cwd, files);
    tell({ event: 'prepared', ...figures(findings), missingRights });
    if (run) {
      await runDeployCalls(context, project, signal, {
        call: tellCall,
        output: (text) => (json ? stderr : stdout).write(text),
      });
      tell({ event: 'deployed' });
    } else if (!json) {
      say("Next, with AWS's CLI (npm install --save-dev @aws/agentcore), or all at once with --run:\n");
      for (const call of deployCalls(cwd, project)) tellCall(call);
    }
    return exitCodes.ok;
  });
}

const builds = { codezip: 'CodeZip', container: 'Container' } as const;

function wanted(options: DeployOptions, env: CliContext['env']): Parameters<typeof planDeployment>[0] {
  const { build, account, json: _, run: __, dryRun: ___, payload: ____, ...files } = options;
  const region = options.region ?? (account === undefined ? undefined : env['AWS_REGION']);
  if (account !== undefined && region === undefined)
    refuseOption('--region', 'a region such as us-west-2 beside --account', region);
  return { ...files, account, region, build: build && builds[build] };
}

/** What was measured of the bundle, as the doctor says it. */
function figures(findings: readonly Finding[]): { size?: string; start?: string } {
  const seen = (...ids: string[]): string | undefined =>
    findings.find(({ id, verdict }) => ids.includes(id) && verdict !== 'skipped')?.seen;
  const size = seen('bundle.size');
  const ping = /\d+ ms/.exec(seen('bundle.start', 'start.answers') ?? '')?.[0];
  const start = ping && `It answered its first ping after ${ping}.`;
  return { ...(size !== undefined && { size }), ...(start !== undefined && { start }) };
}

function describeEvent(event: DeployEvent, paint: Paint): string {
  switch (event.event) {
    case 'plan':
      return describePlan(event, paint);
    case 'finding':
      return formatFinding(event, paint);
    case 'prepared': {
      const { size, start, missingRights } = event;
      const bundle = size === undefined ? '' : ` The bundle has ${size}.`;
      const lacking = missingRights.map((right) => `${paint('yellow', 'WARNING')}  ${right}\n`).join('');
      const advice = '         Results cannot be written or read without it. --force replaces the file.\n';
      return `\nThe folder is prepared.${bundle}${start === undefined ? '' : ` ${start}`}\n${lacking}${lacking && advice}`;
    }
    case 'command':
      return '';
    case 'deployed':
      return 'Deployed. "agentcore status" shows the ARN; try the way to it with "art doctor ARN".\n';
  }
}

const words = {
  create: 'create',
  merge: 'add to',
  update: 'update',
  replace: 'replace',
  keep: 'keep',
  same: 'as it is',
} as const;
const why = {
  update: '  nobody has changed it since it was written:',
  merge: '  what you have changed stays, --force replaces it:',
  replace: '  what differs:',
  keep: '  differs, --force replaces it:',
} as const;

/** What `art deploy` is about to do, for people. */
function describePlan(
  { agent, build, project, name, files, notes }: Extract<DeployEvent, { event: 'plan' }>,
  paint: Paint,
): string {
  const how = build === 'CodeZip' ? "one file on AWS's Node 22" : 'a container';
  const lines = [`${agent} as ${project}_${name} on AgentCore, ${how}`];
  for (const { path, action, differences } of files) {
    const isPlain = differences.length === 0 || action === 'create' || action === 'same';
    lines.push(`  ${words[action].padEnd(9)} ${path}${isPlain ? '' : why[action]}`);
    for (const difference of differences) lines.push(paint('dim', `            ${difference}`));
  }
  for (const note of notes) lines.push(`${paint('yellow', 'note')}  ${note}`);
  return `${lines.join('\n')}\n\n`;
}
