import { relative, resolve } from 'node:path';
import { ArtError } from '@art/ground';
import { createProject } from './create-project.ts';
import { type Framework, frameworks } from './frameworks.ts';
import type { InitOptions } from './init-command.ts';
import { LineReader, type TextInput } from './line-reader.ts';
import { loadTemplates } from './templates.ts';
import { writeSkills } from './write-skills.ts';

/** Surroundings of the command. */
export interface InitContext {
  stdin: TextInput;
  stdout: { write(text: string): unknown };
  cwd: string;
  /** Variables of the process, of which `npm_config_user_agent` names the package manager that called it. @default npm */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * `art init`: asks for what was not said, and writes the project.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION` before anything is written
 */
export async function runInit(options: InitOptions, context: InitContext): Promise<number> {
  const { stdout, cwd } = context;
  if (options.skills) return runSkills(resolve(cwd, options.folder ?? '.'), stdout);
  const { folder, framework } = await complete(options, context);
  const written = await createProject({ folder: resolve(cwd, folder), framework, name: options.name });
  const way = relative(cwd, resolve(cwd, folder));
  stdout.write(
    `Wrote ${written.length} files to ${folder}: an agent on ${(await loadTemplates())[framework].title}. Next:\n\n` +
      `${way === '' ? '' : `  cd ${way}\n`}${firstCommands(context.env?.['npm_config_user_agent'])}\nThe README has the rest.\n`,
  );
  return 0;
}

/** First commands in a project, in the words of the package manager. @param agent such as `pnpm/12.21.0 npm/? node/v24.21.0 linux x64` */
function firstCommands(agent = ''): string {
  const [, manager = 'npm', major] = /^(pnpm|yarn|bun)\/(\d+)/.exec(agent) ?? [];
  // Without a folder node_modules neither `art deploy` nor AWS's bundler finds packages, and Yarn makes none by itself since its version 2.
  const linked = manager === 'yarn' && major !== '1' ? '  yarn config set nodeLinker node-modules\n' : '';
  return `${linked}  ${manager} install\n  ${manager} run eval\n`;
}

async function runSkills(folder: string, stdout: InitContext['stdout']): Promise<number> {
  const { written, silent } = await writeSkills(folder);
  stdout.write(written.map((path) => `${path}\n`).join(''));
  for (const path of silent)
    stdout.write(
      `${path} is yours and stays. Let it name .agents/skills for agents that do not look there.\n`,
    );
  return 0;
}

async function complete(
  { folder, framework, yes }: InitOptions,
  { stdin, stdout }: InitContext,
): Promise<{ folder: string; framework: Framework }> {
  if (yes) return { folder: folder ?? 'my-agent', framework: framework ?? 'openai' };
  if (folder !== undefined && framework !== undefined) return { folder, framework };
  if (stdin.isTTY !== true)
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message:
        'Expected a folder and --framework, or --yes for the defaults: there is no terminal to ask at.',
    });
  using lines = new LineReader(stdin);
  const ask = async (question: string, otherwise: string): Promise<string> => {
    stdout.write(`${question} (${otherwise}): `);
    return (await lines.next()).trim() || otherwise;
  };
  const chosen = folder ?? (await ask('Folder', 'my-agent'));
  if (framework !== undefined) return { folder: chosen, framework };
  const titles = Object.values(await loadTemplates()).map(({ title }) => title);
  stdout.write(titles.map((title, index) => `  ${index + 1}  ${title}\n`).join(''));
  for (;;) {
    const answer = await ask('Framework', '1');
    const found = frameworks[Number(answer) - 1] ?? frameworks.find((name) => name === answer);
    if (found !== undefined) return { folder: chosen, framework: found };
    stdout.write(`Expected a number from 1 to ${frameworks.length}, got ${JSON.stringify(answer)}.\n`);
  }
}
