import {
  type AgentCoreCall,
  deployCalls,
  planDeployment,
  runDeployCalls,
  writePlannedFiles,
} from '@art/deploy';
import { systemClock, refuseOption } from '@art/ground';
import type { Finding } from '@art/doctor';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { countArgument } from '../arguments/number-argument.ts';
import { readPayload } from '../arguments/read-payload.ts';
import { filledArgument, regionArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { applySettings } from '../deploy/apply-settings.ts';
import { checkDeployment } from '../deploy/check-deployment.ts';
import { type DeployEvent, describeDeployEvent } from '../deploy/deploy-event.ts';
import { signedControl } from '../deploy/signed-control.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { createPaint } from '../terminal/paint.ts';

const examples = `
Examples:
  $ art deploy agent.ts --dry-run
      what would be written
  $ art deploy agent.ts --bucket my-results
      writes agentcore/, and starts the bundle once
  $ art deploy agent.ts --account 123456789012 --region us-west-2 --run
      and calls AWS's CLI: validate, package, deploy
  $ art deploy agent.ts --build container
      an image by a Dockerfile instead of one zip
  $ art deploy agent.ts --platform-version V2 --warmup-path /warmup \\
      --minimum-memory-mib 4096 --run
      settings that only the control plane takes

It prepares what AWS's own command line deploys (npm install --save-dev
@aws/agentcore): agentcore.json, a Dockerfile for --build container, and
policies with the smallest rights for the agent and for its client.
Only --run needs that command and an account. AWS's CLI then uses the
credentials of your environment. "art deploy" itself reads them only to send
settings that AWS's CLI does not know.
A file that you have changed is kept, and what differs is shown. Other files
are brought up to date. Options of earlier calls stay (agentcore/art.json).
An agent that does not start, cannot be bundled, or cannot answer one
rollout in its bundle, is reported before anything is written.

Exit codes: 0 done; 18 the agent cannot be deployed as it is; 2 wrong usage;
3 AWS's CLI is not there, or has failed; 130 Ctrl-C.`;

function declared() {
  return new Command('deploy')
    .description(
      "Writes what AWS's CLI deploys an agent from, checks the agent, and calls that CLI with --run.",
    )
    .argument(
      '[agent]',
      'file that starts the agent (default: agent.ts, src/agent.ts, main.ts or src/index.ts)',
    )
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
    .option(
      '--results-mount <path>',
      'with --bucket: mounts it below /mnt in each session, and results go through that folder (default: none)',
      filledArgument,
    )
    .option('--account <id>', 'account of AWS to deploy to, with --region', filledArgument)
    .option('--region <name>', 'region of AWS (default, with --account: $AWS_REGION)', regionArgument)
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
    .addOption(
      new Option(
        '--platform-version <version>',
        'V2 restores sessions from a snapshot of the process (default: as before, else V2)',
      ).choices(['V1', 'V2'] as const),
    )
    .option(
      '--minimum-memory-mib <mib>',
      'memory that a session has at least (default: as it is)',
      countArgument(),
    )
    .option(
      '--allowed-ports <list>',
      'what session endpoints lead to: 8081,9000-9010, of 8000 to 12000 (default: none)',
      (text) => text.split(','),
    )
    .option(
      '--port <port>',
      'where the agent listens, 8000 to 12000; which it reads from PORT (default: 8080)',
      countArgument(),
    )
    .option(
      '--invocation-path <path>',
      'where it gets invocations; which it reads from ART_INVOCATION_PATH (default: /invocations)',
      filledArgument,
    )
    .option(
      '--warmup-path <path>',
      'with V2: called once before the snapshot; /warmup with a warmupHandler (default: none)',
      filledArgument,
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

/**
 * `art deploy`: prepares what AWS's CLI deploys, checks that it starts, and calls that CLI where it is asked to.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_AGENTCORE_CLI`
 */
export function runDeploy(options: DeployOptions, context: CliContext): Promise<number> {
  const { stdout, stderr, env, cwd } = context;
  const { json, dryRun, run } = options;
  const paint = createPaint(stdout, env);
  const tell = eventWriter<DeployEvent>(context, json, describeDeployEvent);
  /** Writes what only people need between two events. */
  const say = (text: string): void => void (json || stdout.write(text));
  const tellCall = ({ args, because }: AgentCoreCall): void => {
    const command = ['agentcore', ...args].join(' ');
    tell({ event: 'command', command });
    say(`${paint('bold', `$ ${command}`)}${because === undefined ? '' : `  (${because})`}\n`);
  };
  return interruptible(context, async ({ signal }) => {
    const deployment = await planDeployment(wanted(options, env), cwd);
    const { files, settings, notes, project, name, agent, build, missingRights } = deployment;
    const region = deployment.region ?? env['AWS_REGION'];
    // Told before anything is written.
    if (run && region === undefined)
      refuseOption('--region', 'a region such as us-west-2, to send the settings to', region);
    tell({
      event: 'plan',
      agent,
      project,
      name,
      build,
      files: files.map(({ path, action, differences }) => ({ path, action, differences })),
      settings,
      notes,
    });
    if (dryRun) {
      say("Nothing was written. It would be deployed by AWS's CLI with:\n");
      for (const call of deployCalls(cwd, project)) tellCall(call);
      say(settingsStep);
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
      const { version } = await applySettings({
        name: `${project}_${name}`,
        settings,
        call: signedControl(region!, env),
        clock: systemClock,
        signal,
        onStatus: (status) => say(`The runtime is ${status}.\n`),
      });
      tell({ event: 'deployed', settingsOfVersion: version });
    } else if (!json) {
      say("Next, with AWS's CLI (npm install --save-dev @aws/agentcore), or all at once with --run:\n");
      for (const call of deployCalls(cwd, project)) tellCall(call);
      say(settingsStep);
    }
    return exitCodes.ok;
  });
}

const settingsStep =
  'Then "art deploy --run" sends agentcore/runtime-settings.json: AWS\'s CLI does not know these settings, and takes them back with its next deployment.\n';

const builds = { codezip: 'CodeZip', container: 'Container' } as const;

function wanted(options: DeployOptions, env: CliContext['env']): Parameters<typeof planDeployment>[0] {
  const { build, account, json: _, run: __, dryRun: ___, payload: ____, ...files } = options;
  const region = options.region ?? (account === undefined ? undefined : env['AWS_REGION']);
  if (account !== undefined && region === undefined)
    refuseOption('--region', 'a region such as us-west-2 beside --account', region);
  return { ...files, account, region, build: build && builds[build] };
}

/** Figures of the bundle, as the doctor gives them. */
function figures(findings: readonly Finding[]): { size?: string; start?: string } {
  const seen = (...ids: string[]): string | undefined =>
    findings.find(({ id, verdict }) => ids.includes(id) && verdict !== 'skipped')?.seen;
  const size = seen('bundle.size');
  const ping = /\d+ ms/.exec(seen('bundle.start', 'start.answers') ?? '')?.[0];
  const start = ping && `It answered its first ping after ${ping}.`;
  return { ...(size !== undefined && { size }), ...(start !== undefined && { start }) };
}
