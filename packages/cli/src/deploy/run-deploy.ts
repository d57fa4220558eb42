import type { Finding } from '@art/doctor';
import {
  type AgentCoreCall,
  deployCalls,
  type Deployment,
  planDeployment,
  runDeployCalls,
  writePlannedFiles,
} from '@art/deploy';
import { refuseOption } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import { formatFinding } from '../doctor/format-finding.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { checkDeployment } from './check-deployment.ts';
import type { DeployOptions } from '../commands/deploy-command.ts';
import { printableText } from '../terminal/printable-text.ts';

/**
 * `art deploy`: prepares what AWS's CLI deploys, checks that it starts, and calls that CLI where it is told to.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_AGENTCORE_CLI`
 */
export async function runDeploy(options: DeployOptions, context: CliContext): Promise<number> {
  const { stdout, stderr, env, cwd } = context;
  const { json, dryRun, run } = options;
  const paint = createPaint(stdout, env);
  const tell = (event: object, text: string): void => void stdout.write(json ? plainJson(event) : text);
  const tellCall = ({ args, because }: AgentCoreCall): void => {
    const shown = ['agentcore', ...args].join(' ');
    tell(
      { event: 'command', command: shown },
      `${paint('bold', `$ ${shown}`)}${because === undefined ? '' : `  (${because})`}\n`,
    );
  };
  return interruptible(context, async ({ signal }) => {
    const deployment = await planDeployment(wanted(options, env), cwd);
    const { files, notes, project, name, agent, build } = deployment;
    tell(
      { event: 'plan', agent, project, name, build, files: files.map(planned), notes },
      formatPlan(deployment, paint),
    );
    if (dryRun) {
      if (!json) stdout.write("Nothing was written. It would be deployed by AWS's CLI with:\n");
      for (const call of deployCalls(cwd, project)) tellCall(call);
      return exitCodes.ok;
    }
    // Before anything is written: what cannot start is not worth a file.
    const findings = await checkDeployment(deployment, context, signal, (finding) =>
      tell({ event: 'finding', ...finding }, formatFinding(finding, paint)),
    );
    if (findings.some(({ verdict }) => verdict === 'fault')) {
      if (!json) stdout.write('\nNothing was written.\n');
      return exitCodes.faultsFound;
    }
    await writePlannedFiles(cwd, files);
    tell({ event: 'prepared', ...figures(findings) }, `\nThe folder is prepared.${shownFigures(findings)}\n`);
    if (run) {
      await runDeployCalls(context, project, signal, {
        call: tellCall,
        output: (text) => (json ? stderr : stdout).write(text),
      });
      tell(
        { event: 'deployed' },
        'Deployed. "agentcore status" shows the ARN; try the way to it with "art doctor ARN".\n',
      );
    } else if (!json) {
      stdout.write(
        "Next, with AWS's CLI (npm install --save-dev @aws/agentcore), or all at once with --run:\n",
      );
      for (const call of deployCalls(cwd, project)) tellCall(call);
    }
    return exitCodes.ok;
  });
}

const builds = { codezip: 'CodeZip', container: 'Container' } as const;

function wanted(options: DeployOptions, env: CliContext['env']): Parameters<typeof planDeployment>[0] {
  const { build, account, json: _, run: __, dryRun: ___, ...files } = options;
  const region = options.region ?? (account === undefined ? undefined : env['AWS_REGION']);
  if (account !== undefined && region === undefined)
    refuseOption('--region', 'a region such as us-west-2 beside --account', region);
  return { ...files, account, region, build: build && builds[build] };
}

function planned({ path, action, differences }: Deployment['files'][number]): object {
  return { path, action, differences };
}

/** What was measured of the bundle, as the doctor says it. */
function figures(findings: readonly Finding[]): { size?: string; start?: string } {
  const seen = (...ids: string[]): string | undefined =>
    findings.find(({ id, verdict }) => ids.includes(id) && verdict !== 'skipped')?.seen;
  const [size, start] = [seen('bundle.size'), seen('bundle.start', 'start.answers')];
  return { ...(size !== undefined && { size }), ...(start !== undefined && { start }) };
}

function shownFigures(findings: readonly Finding[]): string {
  const { size, start } = figures(findings);
  const shown = [size, start].filter((text) => text !== undefined);
  return shown.length === 0 ? '' : ` It is ${shown.join(', ')}.`;
}

const words = {
  create: 'create',
  merge: 'add to',
  replace: 'replace',
  keep: 'keep',
  same: 'as it is',
} as const;
const why = {
  merge: '  what you have changed stays, --force replaces it:',
  replace: '  what differs:',
  keep: '  differs, --force replaces it:',
} as const;

/** What `art deploy` is about to do, for people. */
function formatPlan({ agent, build, project, name, files, notes }: Deployment, paint: Paint): string {
  const how = build === 'CodeZip' ? "one file on AWS's Node 22" : 'a container';
  const lines = [`${agent} as ${project}_${name} on AgentCore, ${how}`];
  for (const { path, action, differences } of files) {
    const isPlain = differences.length === 0 || action === 'create' || action === 'same';
    lines.push(`  ${words[action].padEnd(9)} ${path}${isPlain ? '' : why[action]}`);
    for (const difference of differences)
      lines.push(paint('dim', `            ${printableText(difference)}`));
  }
  for (const note of notes) lines.push(`${paint('yellow', 'note')}  ${note}`);
  return `${lines.join('\n')}\n\n`;
}
