import type { Deployment } from '@art/deploy';
import type { Paint } from '../terminal/paint.ts';
import { printableText } from '../terminal/printable-text.ts';

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
export function formatPlan({ agent, build, project, name, files, notes }: Deployment, paint: Paint): string {
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
