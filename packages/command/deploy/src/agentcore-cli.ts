import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { systemClock, ArtError } from '@art/ground';

/** Where AWS's CLI is looked for and run. */
export interface CallPlace {
  /** Folder of the project. */
  cwd: string;
  /** Its environment; credentials of AWS are taken from there. */
  env: Readonly<Record<string, string | undefined>>;
}

/** One call of AWS's CLI. */
export interface AgentCoreCall {
  args: string[];
  /** Why, where it is not plain. */
  because?: string;
}

/** How long a call may take to end after Ctrl-C. */
const graceMs = 10_000;
const cdkFolder = join('agentcore', 'cdk');

/** Calls that deploy a prepared folder, in order. Without the folder `agentcore/cdk`, which `create` alone makes, `deploy` refuses. */
export function deployCalls(cwd: string, project: string, temporary = 'TEMPORARY'): AgentCoreCall[] {
  const create = ['create', '--project-name', project, '--no-agent', '--skip-git', '--skip-install'];
  return [
    ...(existsSync(join(cwd, cdkFolder))
      ? []
      : [
          {
            args: [...create, '--output-dir', temporary],
            because: `elsewhere; its ${cdkFolder} comes here`,
          },
        ]),
    { args: ['validate'] },
    { args: ['package'] },
    { args: ['deploy', '-y'] },
  ];
}

/**
 * Calls AWS's CLI until it has deployed.
 * @param signal ends the call that runs
 * @param on called with each call before it is made, and with what it writes
 * @throws ArtError `ART_AGENTCORE_CLI`; the signal's reason, when the call that ran has ended
 */
export async function runDeployCalls(
  place: CallPlace,
  project: string,
  signal: AbortSignal,
  on: { call: (call: AgentCoreCall) => void; output: (text: string) => void },
): Promise<void> {
  const { cwd } = place;
  const command = agentcoreCommand(place);
  const temporary = await mkdtemp(join(tmpdir(), 'art-deploy-'));
  try {
    for (const call of deployCalls(cwd, project, temporary)) {
      signal.throwIfAborted();
      on.call(call);
      await callAgentcore(command, call.args, place, signal, on.output);
      const made = join(temporary, project, cdkFolder);
      if (call.args[0] === 'create') await cp(made, join(cwd, cdkFolder), { recursive: true });
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function callAgentcore(
  command: string,
  args: readonly string[],
  { cwd, env }: CallPlace,
  signal: AbortSignal,
  onOutput: (text: string) => void,
): Promise<void> {
  // By INIT_CWD it would look for the project where npx was called.
  const child = spawn(command, args, {
    cwd,
    env: { ...env, INIT_CWD: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => onOutput(part.toString('utf8')));
  let cancelKill: (() => void) | undefined;
  const onAbort = (): void => {
    child.kill('SIGINT');
    // Seen of version 0.30.0: on a busy machine "package" hung and took no signal.
    cancelKill = systemClock.after(graceMs, () => void child.kill('SIGKILL'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    signal.throwIfAborted();
    if (code === 0) return;
    throw new ArtError({
      code: 'ART_AGENTCORE_CLI',
      message: `Expected "agentcore ${args[0]}" to end with code 0, got ${killedBy ?? code}. What it wrote stands above. What was prepared is in the folder: mend it and run this again.`,
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelKill?.();
  }
}

/** The command of npm `@aws/agentcore`: of this project, of one above it, or of the machine. */
function agentcoreCommand({ cwd, env }: CallPlace): string {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '.bin'));
    if (dirname(folder) === folder) break;
  }
  folders.push(...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''));
  const found = folders.map((folder) => join(folder, 'agentcore')).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new ArtError({
    code: 'ART_AGENTCORE_CLI',
    message:
      'Expected AWS\'s command "agentcore" in this project or on PATH, got none. Run "npm install --save-dev @aws/agentcore". What was prepared is in the folder.',
  });
}
