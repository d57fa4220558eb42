import { accessSync, constants, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { refuseOption } from '@art/ground';

/** Names of files that Node runs by itself: JavaScript, and TypeScript by stripping its types. */
const runByNode = /\.[cm]?[jt]s$/;

/** Makes Node find files by the names that TypeScript has for them; it stands beside this file, as a source and when it is built. */
const typeScriptSetup = new URL(`./typescript-setup${extname(import.meta.url)}`, import.meta.url).href;

/** How files of other kinds are run, for the message. */
const otherRunners: readonly (readonly [RegExp, string])[] = [
  [/\.[jt]sx$/, 'npx tsx'],
  [/\.py$/, 'python3'],
  [/\.sh$/, 'sh'],
];

/**
 * The command of a session. A JavaScript or TypeScript file runs with this process's Node, where TypeScript may import
 * `./tools.js` for `tools.ts`; several words are a program
 * with its arguments; one text is a line for the shell.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function agentCommand(words: readonly string[], cwd: string): string | readonly string[] {
  const [first = '', ...rest] = words;
  if (first.trim() === '')
    refuseOption('agent', 'a file such as agent.ts, or a command such as "node agent.js"', first);
  const path = resolve(cwd, first);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true && rest.length === 0) {
    const advice = 'That is a folder; name the file in it that starts the agent.';
    refuseOption('agent', 'a file or a command', first, { advice });
  }
  if (runByNode.test(first)) {
    const flags = first.endsWith('ts') ? ['--import', typeScriptSetup] : [];
    if (found?.isFile() === true) return [process.execPath, ...flags, path, ...rest];
    // With a space in it the text may be a whole command line: "node agent.js".
    if (!/\s/.test(first))
      refuseOption('agent', 'an existing file', first, { advice: `There is none at ${path}.` });
  }
  const runner = otherRunners.find(([pattern]) => pattern.test(first))?.[1];
  if (runner !== undefined && found?.isFile() === true && !isExecutable(path)) {
    refuseOption('agent', 'a file that Node can run, or a command', first, {
      advice: `Write "${runner} ${first}".`,
    });
  }
  return rest.length === 0 ? first : words;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
