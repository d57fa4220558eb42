import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReadmes, workspaceRoot } from './readme.ts';

// A part of the site, which no package exports.
const { inWordsOf } = (await import(
  join(workspaceRoot, 'packages/internal/docs/.vitepress/package-manager-tabs.ts')
)) as { inWordsOf: (manager: 'pnpm' | 'yarn' | 'bun', block: string) => string };

const block = `npm create @art/agent my-agent -- --framework openai
cd my-agent && npm install
npm init -y
npm pkg set type=module
npm install --save-dev @art/cli
npm install @art/agent zod
npm run eval -- --samples 4
npx --no-install art eval agent.ts && npm run eval
`;

describe('commands of npm in tabs', () => {
  it('are those of each manager of packages', () => {
    expect(inWordsOf('pnpm', block)).toBe(`pnpm create @art/agent my-agent --framework openai
cd my-agent && pnpm install
pnpm init
npm pkg set type=module
pnpm add --save-dev @art/cli
pnpm add @art/agent zod
pnpm run eval --samples 4
pnpm exec art eval agent.ts && pnpm run eval
`);
    expect(inWordsOf('yarn', block)).toContain('yarn add --dev @art/cli\nyarn add @art/agent zod\n');
    const linked = 'yarn config set nodeLinker node-modules';
    expect(inWordsOf('yarn', block)).toContain(
      `cd my-agent && ${linked} && yarn install\nyarn init -y && ${linked}\n`,
    );
    expect(inWordsOf('bun', block)).toContain('bun run art eval agent.ts && bun run eval\n');
    expect(inWordsOf('bun', block)).toContain('npm init -y\n');
  });

  it('leave no other command of npm on a page', () => {
    const blocks = readReadmes()
      .filter(({ path }) => path.startsWith('packages/internal/docs/'))
      .flatMap(({ fences }) => fences)
      .filter(({ language }) => language === 'sh')
      .map(({ lines }) => `${lines.join('\n')}\n`)
      .filter((text) => /^npm (?:create|install)|^npx --no-install/m.test(text));
    expect(blocks.length).toBeGreaterThan(40);
    for (const text of blocks) expect(inWordsOf('pnpm', text)).not.toMatch(/(?:^|&& )(?:npm (?!pkg )|npx )/m);
  });
});
