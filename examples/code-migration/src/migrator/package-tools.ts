import { InfrastructureError } from '@art/agent';
import { Type } from 'typebox';
import { runTests, type Limits } from '../workspace/run-tests.ts';
import { PathOutside, type Workspace } from '../workspace/workspace.ts';
import { type Tool, tool, ToolRefusal } from './tool.ts';

const path = Type.String({ description: 'Relative to the package, for example lib/slug.js' });
/** A file that is longer is cut for the model. */
const mostCharacters = 20_000;

export function packageTools(
  workspace: Workspace,
  limits: Limits,
  signal: AbortSignal,
): Record<string, Tool> {
  return {
    list_files: tool('Lists all files of the package.', {}, async () =>
      Object.keys((await workspace.files()) ?? refuse('there are too many files')).join('\n'),
    ),
    read_file: tool('Reads a file.', { path }, async ({ path: file }) =>
      (await attempt(file, () => workspace.read(file))).slice(0, mostCharacters),
    ),
    write_file: tool(
      'Writes a whole file. Folders are made as needed.',
      { path, content: Type.String() },
      async ({ path: file, content }) => {
        await attempt(file, () => workspace.write(file, content));
        return `Written: ${file}`;
      },
    ),
    remove_file: tool('Removes a file.', { path }, async ({ path: file }) => {
      await attempt(file, () => workspace.remove(file));
      return `Removed: ${file}`;
    }),
    run_tests: tool('Runs the tests of the package and shows what they write.', {}, async () => {
      const ended = await runTests(workspace.folder, limits, signal);
      const output = ended.output.slice(-4_000);
      const how = {
        timeout: 'took too long and were killed',
        output: 'wrote too much and were killed',
        ended: ended.kind === 'ended' && ended.exitCode === 0 ? 'passed' : 'failed',
      }[ended.kind];
      return `The tests ${how}.\n${output}`;
    }),
  };
}

/** A disk that is full or broken is nobody's mistake. All else is: a file that is not there, or a name that cannot be one. */
async function attempt<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PathOutside) refuse(cause.message);
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (/^(ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE)$/.test(code))
      throw new InfrastructureError('The working copy cannot be used.', { cause });
    refuse(`"${file}" ${code === 'ENOENT' ? 'does not exist' : `cannot be used (${code})`}`);
  }
}

function refuse(why: string): never {
  throw new ToolRefusal(why);
}
