import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { exitCodes, runCli } from '@art/cli';
import { expect, it } from 'vitest';
import { workspaceRoot } from './readme.ts';

/** What `art <words> --help` prints. */
async function helpOf(...words: string[]): Promise<string> {
  let text = '';
  const code = await runCli([...words, '--help'], {
    stdin: new PassThrough(),
    stdout: { write: (part) => (text += part) },
    stderr: { write: () => undefined },
    env: {},
    cwd: workspaceRoot,
    signals: process,
    exit: () => undefined,
  });
  expect(code).toBe(exitCodes.ok);
  return text.trimEnd();
}

it('the page of the commands is what they say of themselves', async () => {
  const whole = await helpOf();
  const commands = [...whole.split('\nCommands:\n')[1]!.matchAll(/^ {2}(\w[\w-]*)/gm)].map(
    ([, name]) => name!,
  );
  expect(commands.length).toBeGreaterThan(8);
  const sections: string[] = [];
  for (const name of commands) sections.push(`## art ${name}\n\n\`\`\`text\n${await helpOf(name)}\n\`\`\``);
  const page = `# The art command

\`npm install --save-dev @art/cli\` brings it.
Run it as \`npx --no-install art\`. This page is written by
\`pnpm --filter @art/e2e exec vitest run src/readmes/cli-page.test.ts -u\`.

\`\`\`text
${whole}
\`\`\`

${sections.join('\n\n')}
`;
  await expect(page).toMatchFileSnapshot(join(workspaceRoot, 'packages/docs/reference/cli.md'));
});
