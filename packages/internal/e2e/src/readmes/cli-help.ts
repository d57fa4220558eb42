import { PassThrough } from 'node:stream';
import { exitCodes, runCli } from '@art/cli';
import { workspaceRoot } from './readme.ts';

const helpTexts = new Map<string, Promise<string | undefined>>();

/** Output of `art <words> --help`; undefined where it fails. Each is asked for once. */
export function cliHelp(...words: string[]): Promise<string | undefined> {
  const name = words.join(' ');
  const text = helpTexts.get(name) ?? askForHelp(words);
  helpTexts.set(name, text);
  return text;
}

async function askForHelp(words: string[]): Promise<string | undefined> {
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
  return code === exitCodes.ok ? text.trimEnd() : undefined;
}
