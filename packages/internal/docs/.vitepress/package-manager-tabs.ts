import type { MarkdownRenderer } from 'vitepress';

/** Managers of packages other than npm, in the words of whose commands the site shows those of npm. */
const managers = ['pnpm', 'yarn', 'bun'] as const;
type Manager = (typeof managers)[number];

// Without a folder node_modules neither `art deploy` nor AWS's bundler finds packages, and Yarn makes none by itself.
const linked = 'yarn config set nodeLinker node-modules';
// `npm pkg` and, for bun, `npm init` stay: they come with Node, and `bun init` writes files of its own.
const commands: readonly [RegExp, string | Partial<Record<Manager, string>>][] = [
  [/^npm create (\S+ \S+) -- /, '@ create $1 '],
  [/^npm create /, '@ create '],
  [/^npm init -y$/, { pnpm: 'pnpm init', yarn: `yarn init -y && ${linked}` }],
  [
    /^npm install --save-dev /,
    { pnpm: 'pnpm add --save-dev ', yarn: 'yarn add --dev ', bun: 'bun add --dev ' },
  ],
  [/^npm install (?=\S)/, '@ add '],
  [/^npm install$/, { pnpm: 'pnpm install', yarn: `${linked} && yarn install`, bun: 'bun install' }],
  [/^npm run (\S+) -- /, '@ run $1 '],
  [/^npm run /, '@ run '],
  [/^npx --no-install /, { pnpm: 'pnpm exec ', yarn: 'yarn run ', bun: 'bun run ' }],
];
/** A block of a shell for the project of a reader, which has npm; this repository itself needs pnpm. */
const isForReaders = /^(?:npm (?:create|init|install)|npx --no-install) /m;
const shellBlocks = /^([ \t]*)```sh\n([\s\S]*?)^\1```$/gm;

/** Commands of npm in the words of another manager of packages. */
export function inWordsOf(manager: Manager, block: string): string {
  const translated = (command: string): string => {
    for (const [form, words] of commands) {
      const found = typeof words === 'string' ? words.replace('@', manager) : words[manager];
      if (form.test(command)) return found === undefined ? command : command.replace(form, found);
    }
    return command;
  };
  return block.replaceAll(/(?<=^[ \t]*|&& )np[mx] .*?(?= && |$)/gm, translated);
}

/** Shows commands of npm in tabs, one for each manager of packages. */
export function packageManagerTabs(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after('normalize', 'package-manager-tabs', (state) => {
    state.src = state.src.replaceAll(shellBlocks, (whole: string, indent: string, block: string) => {
      if (!isForReaders.test(block)) return whole;
      const tabs = [['npm', block], ...managers.map((manager) => [manager, inWordsOf(manager, block)])].map(
        ([name, text]) => `${indent}\`\`\`sh [${name}]\n${text}${indent}\`\`\`\n`,
      );
      return `${indent}::: code-group\n\n${tabs.join('\n')}\n${indent}:::`;
    });
  });
}
