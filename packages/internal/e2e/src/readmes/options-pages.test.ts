import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DeclaredMember, PackageDeclarations } from './declarations.ts';
import { workspaceRoot } from './readme.ts';

interface OptionsPage {
  page: string;
  title: string;
  /** Folder of the package that exports them. */
  folder: string;
  /** @default ['index.ts'] */
  entries?: readonly string[];
  interfaces: readonly string[];
}

const pages: readonly OptionsPage[] = [
  {
    page: 'client-options',
    title: 'Options of the client',
    folder: 'rollout',
    interfaces: [
      'RolloutClientOptions',
      'WatchOptions',
      'LivenessOptions',
      'RolloutGatewayOptions',
      'InvokeOptions',
      'WaitOptions',
      'SessionInvokeOptions',
      'BatchOptions',
      'GroupOptions',
      'HedgeOptions',
      'RunProgress',
    ],
  },
  {
    page: 'server-options',
    title: 'Options of the agent server',
    folder: 'server',
    interfaces: ['AgentCoreRLAppOptions', 'ListenOptions', 'RequestContext'],
  },
  {
    page: 'gateway-options',
    title: 'Options of the gateway',
    folder: 'gateway',
    interfaces: [
      'GatewayOptions',
      'WorkerOptions',
      'StoreOptions',
      'HeartbeatOptions',
      'RetryOptions',
      'AuthOptions',
    ],
  },
  {
    page: 'eval-options',
    title: 'Options of an evaluation',
    folder: 'eval',
    entries: ['index.ts', 'local/index.ts'],
    interfaces: ['EvaluateOptions', 'EvaluatedLocalAgentOptions', 'RescoreOptions'],
  },
];

it.each(pages)(
  'the page of $page is what $folder declares',
  async ({ page, title, folder, entries, interfaces }) => {
    using declarations = new PackageDeclarations(folder, entries ?? ['index.ts']);
    const values = [...declarations.values()];
    const types = [...declarations.types()].filter(([name]) => !interfaces.includes(name));
    const described = interfaces.map((name) => ({
      name,
      text: declarations.describe(name),
      members: declarations.members(name),
    }));
    const without = [
      ...[...values, ...types].filter(([, text]) => text === '').map(([name]) => name),
      ...described.filter(({ text }) => text === '').map(({ name }) => name),
      ...described.flatMap(({ name, members }) =>
        members.filter(({ text }) => text === '').map((member) => `${name}.${member.name}`),
      ),
    ];
    expect(without, 'without a docstring').toEqual([]);
    const sections = described.map(({ name, text, members }) =>
      [`## ${name}\n`, `${text}\n`, ...members.map(line)].join('\n'),
    );
    const text = `# ${title}

Of \`@art/${folder}\`. This page is written by \`pnpm --filter @art/e2e exec vitest run src/readmes/options-pages.test.ts -u\`.

${sections.map(readable).join('\n\n')}

## Functions, classes and constants

${values.map(entry).join('\n')}

## Further types

${types.map(entry).join('\n')}
`;
    await expect(text).toMatchFileSnapshot(
      join(workspaceRoot, 'packages/internal/docs/reference', `${page}.md`),
    );
  },
);

function line({ name, isRequired, type, text, byDefault }: DeclaredMember): string {
  const worth = isRequired
    ? 'required'
    : byDefault === undefined
      ? undefined
      : `default ${byDefault.replaceAll(/(?<=\d)_(?=\d)/g, ',')}`;
  return `- \`${name}\` (\`${type}\`${worth === undefined ? '' : `, ${worth}`}): ${text}`;
}

function entry([name, meaning]: readonly [string, string]): string {
  return `- \`${name}\`: ${readable(meaning)}`;
}

/** Angle brackets outside of code are no HTML. */
function readable(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}
