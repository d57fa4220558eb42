import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { refuseOption } from '@art/ground';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { createTwoFilesPatch } from 'diff';
import { adaptAgent, type AdaptedAgent, type ChangedFile } from '../adapt/adapt-agent.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { documentation } from '../terminal/documentation.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';

const examples = `
Examples:
  $ art adapt agent.ts
      shows the change as a diff, and writes nothing
  $ art adapt src/main.ts --write

Reads the file that starts the agent, and the files that it imports. The
class of AWS's SDK, or a server of Express, Fastify or Hono, becomes
AgentCoreRLApp; a model, a prompt and a client are those of the rollout,
where there is one; a request with the right answer gets a reward. Knows
Strands, the AI SDK, LangChain and LangGraph, OpenAI Agents, Mastra and
openai. A step that is not sure in all its parts changes nothing: the page
that helps is named.
What has been adapted is left alone.
Exit codes: 0 all steps are done, or there is nothing to do; 1 a step is
left to you; 2 wrong usage.`;

function declared() {
  return new Command('adapt')
    .description('Changes an agent so that a trainer can learn from it, and shows the change.')
    .argument('<agent>', 'the file that starts the agent', filledArgument)
    .option('--write', 'write the change', false)
    .option('--json', 'write the change as one JSON object', false)
    .addHelpText('after', examples);
}

export type AdaptOptions = OptionsOf<typeof declared> & { agent: string };

/** The command line of `art adapt`. */
export function adaptCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runAdapt);
  return declared().action((agent, flags) => run({ ...flags, agent }));
}

/** `art adapt`. @returns the exit code */
export async function runAdapt({ agent, write, json }: AdaptOptions, context: CliContext): Promise<number> {
  const { cwd } = context;
  const entry = resolve(cwd, agent);
  if (!existsSync(entry)) refuseOption('agent', 'an existing file', agent);
  const adapted = await adaptAgent(entry);
  const taken = adapted.changed.find(({ path, before }) => before === undefined && existsSync(path));
  if (taken !== undefined)
    refuseOption('agent', `no file ${relative(cwd, taken.path)} beside it, which this command writes`, agent);
  if (write) await writeAll(adapted.changed);
  eventWriter<AdaptedAgent>(context, json, () => formatAdapted(adapted, cwd, agent, write))(adapted);
  return adapted.notes.length === 0 ? exitCodes.ok : exitCodes.belowThreshold;
}

const beside = (path: string): string => `${path}.art-adapt`;

/** Puts every new text beside its file first, so that a full disk changes no file. */
async function writeAll(changed: readonly ChangedFile[]): Promise<void> {
  try {
    for (const { path, after } of changed) await writeFile(beside(path), after);
    for (const { path } of changed) await rename(beside(path), path);
  } finally {
    for (const { path } of changed) await rm(beside(path), { force: true });
  }
}

function formatAdapted(
  { changed, notes, packages }: AdaptedAgent,
  cwd: string,
  agent: string,
  isWritten: boolean,
): string {
  const shown = (path: string): string => relative(cwd, path);
  const diffs = changed.map(({ path, before, after }) => {
    const name = shown(path);
    const text = createTwoFilesPatch(
      before === undefined ? '/dev/null' : `a/${name}`,
      `b/${name}`,
      before ?? '',
      after,
    );
    return text.replace(/^=+\n/, '');
  });
  const left = notes.map(({ file, line, what, page }) => {
    const [name, anchor] = page.split('#');
    return `Left to you: ${shown(file)}:${line}: ${what}.\n  ${documentation}/${name}.md${anchor === undefined ? '' : `#${anchor}`}\n`;
  });
  const next =
    changed.length === 0
      ? notes.length === 0
        ? 'Nothing to do: the agent is adapted.\n'
        : ''
      : `${isWritten ? 'Written.' : 'Nothing is written: add --write.'} Then:\n  npm install ${packages.join(' ')}\n  npx --no-install art doctor ${agent}\n`;
  return [...diffs, ...left, next].filter((part) => part !== '').join('\n');
}
