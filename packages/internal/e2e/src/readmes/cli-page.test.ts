import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliHelp } from './cli-help.ts';
import { workspaceRoot } from './readme.ts';

it('the page of the commands is what they say of themselves', async () => {
  const whole = (await cliHelp())!;
  const commands = [...whole.split('\nCommands:\n')[1]!.matchAll(/^ {2}(\w[\w-]*)/gm)].map(
    ([, name]) => name!,
  );
  expect(commands.length).toBeGreaterThan(8);
  const sections: string[] = [];
  for (const name of commands) sections.push(`## art ${name}\n\n\`\`\`text\n${await cliHelp(name)}\n\`\`\``);
  const page = `# The art command

\`npm install --save-dev @art/cli\` brings it.
Run it as \`npx --no-install art\`. This page is written by
\`pnpm --filter @art/e2e exec vitest run src/readmes/cli-page.test.ts -u\`.

\`\`\`text
${whole}
\`\`\`

${sections.join('\n\n')}
`;
  await expect(page).toMatchFileSnapshot(join(workspaceRoot, 'packages/internal/docs/reference/cli.md'));
});
