import type { Deployment } from '@art/deploy';
import type { Finding } from '@art/doctor';
import { formatFinding } from '../terminal/format-finding.ts';
import type { Paint } from '../terminal/paint.ts';

/** Events of `art deploy`, with `--json` an object a line. */
export type DeployEvent =
  | {
      event: 'plan';
      agent: string;
      project: string;
      name: string;
      build: Deployment['build'];
      files: Pick<Deployment['files'][number], 'path' | 'action' | 'differences'>[];
      /** Members of UpdateAgentRuntime. */
      settings: Record<string, unknown>;
      notes: string[];
    }
  | ({ event: 'finding' } & Finding)
  | { event: 'prepared'; size?: string; start?: string; missingRights: string[] }
  | { event: 'command'; command: string }
  /** With the version of the runtime that has the settings of runtime-settings.json, where there are any. */
  | { event: 'deployed'; settingsOfVersion?: string };

/** An event for people. */
export function describeDeployEvent(event: DeployEvent, paint: Paint): string {
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

/** Describes for people what `art deploy` is about to do. */
function describePlan(
  { agent, build, project, name, files, settings, notes }: Extract<DeployEvent, { event: 'plan' }>,
  paint: Paint,
): string {
  const how = build === 'CodeZip' ? "one file on AWS's Node 22" : 'a container';
  const lines = [`${agent} as ${project}_${name} on AgentCore, ${how}`];
  for (const { path, action, differences } of files) {
    const isPlain = differences.length === 0 || action === 'create' || action === 'same';
    lines.push(`  ${words[action].padEnd(9)} ${path}${isPlain ? '' : why[action]}`);
    for (const difference of differences) lines.push(paint('dim', `            ${difference}`));
  }
  for (const [setting, value] of Object.entries(settings))
    lines.push(`  set       ${setting} ${JSON.stringify(value)}`);
  for (const note of notes) lines.push(`${paint('yellow', 'note')}  ${note}`);
  return `${lines.join('\n')}\n\n`;
}
