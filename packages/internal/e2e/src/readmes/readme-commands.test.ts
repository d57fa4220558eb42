import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { cliHelp } from './cli-help.ts';
import { argumentsOf, commandLines, type CommandLine } from './command-lines.ts';
import { parseReadme, readReadmes, workspaceRoot, type Readme } from './readme.ts';

/** Faults of a command that begins with `art`. */
async function faultsOf(words: readonly string[]): Promise<string[]> {
  const [command, ...rest] = words;
  if (command === undefined || command.startsWith('<')) return [];
  // A command that does not exist is answered with the help of the whole.
  if (!new RegExp(`^ +${command}\\b`, 'm').test((await cliHelp())!))
    return [`there is no command ${command}`];
  const help = (await cliHelp(command))!;
  const end = rest.indexOf('--');
  const own = end === -1 ? rest : rest.slice(0, end);
  return own
    .filter((word) => word.startsWith('-') && word !== '-')
    .map((word) => word.split('=')[0]!)
    .filter((flag) => !new RegExp(`^ .*(?<![\\w-])${flag}(?![\\w-])`, 'm').test(help))
    .map((flag) => `art ${command} has no ${flag}`);
}

function scriptsOf(folder: string): Record<string, string> {
  const manifest = JSON.parse(readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8')) as object;
  return (manifest as { scripts?: Record<string, string> }).scripts ?? {};
}

const foldersByName = new Map(
  globSync('{packages/*,examples}/*/package.json', { cwd: workspaceRoot }).map((path) => [
    (JSON.parse(readFileSync(join(workspaceRoot, path), 'utf8')) as { name: string }).name,
    dirname(path),
  ]),
);

/** The script that a command runs, and the folder whose manifest has to have it. */
function scriptOf(readme: Readme, line: CommandLine): { folder: string; script: string } | undefined {
  const own = existsSync(join(workspaceRoot, dirname(readme.path), 'package.json'))
    ? dirname(readme.path)
    : '.';
  const npm = argumentsOf('npm', line);
  if (npm?.[0] === 'run')
    return { folder: own, script: npm.find((word, at) => at > 0 && !word.startsWith('-'))! };
  if (npm?.[0] === 'test') return { folder: own, script: 'test' };
  const [first, ...rest] = argumentsOf('pnpm', line) ?? [];
  if (first === '--filter' && rest[1] === 'run')
    return { folder: foldersByName.get(rest[0]!) ?? rest[0]!, script: rest[2]! };
  if (first === '--filter') return undefined;
  const script = first === 'run' ? rest[0] : first;
  const isScript = script !== undefined && script !== 'install' && script !== 'exec';
  return isScript ? { folder: '.', script } : undefined;
}

async function wrongCommands(readmes: readonly Readme[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const readme of readmes) {
    let isElsewhere = false;
    for (const line of commandLines(readme)) {
      const [first, folder = ''] = line.words;
      // Anyone who goes to a folder that is not here is in a project of their own, with scripts of its own.
      if (first === 'cd') isElsewhere ||= !existsSync(join(workspaceRoot, dirname(readme.path), folder));
      const where = `${readme.path}:${line.line}`;
      const art = argumentsOf('art', line);
      if (art !== undefined) wrong.push(...(await faultsOf(art)).map((fault) => `${where}: ${fault}`));
      const run = isElsewhere ? undefined : scriptOf(readme, line);
      if (run !== undefined && scriptsOf(run.folder)[run.script] === undefined)
        wrong.push(`${where}: ${run.folder} has no script ${run.script}`);
    }
  }
  return wrong;
}

it('every command and flag that a README names exists', async () => {
  const readmes = readReadmes();
  expect(await wrongCommands(readmes)).toEqual([]);
  const lines = readmes.flatMap(commandLines);
  expect(lines.filter((line) => argumentsOf('art', line) !== undefined).length).toBeGreaterThan(20);
});

it('a command, a flag or a script that is not there is told, by README and line', async () => {
  const text = [
    'See `art rnus`, `art runs --journal x` and `art dev --port 0 agent.ts -- --none`.',
    '```sh',
    'npx --no-install art invoke @problem.json --jsn | jq .reward   # art nothing',
    'art gateway --worker http://a:1 \\',
    '  --db-paht captures',
    'pnpm --filter @art/local run fizz -- --cases 1',
    '```',
  ].join('\n');
  expect(await wrongCommands([parseReadme('README.md', text)])).toEqual([
    'README.md:3: art invoke has no --jsn',
    'README.md:5: art gateway has no --db-paht',
    'README.md:6: packages/laptop/local has no script fizz',
    'README.md:1: there is no command rnus',
  ]);
});
