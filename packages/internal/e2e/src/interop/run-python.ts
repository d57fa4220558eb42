import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseJson, stringifyJson } from '@art/ground';
import { onTestFinished } from 'vitest';

export interface PythonRun {
  executable: string;
  script: string;
  /** Given to the script as JSON on its standard input. */
  input: unknown;
  /** Added to an environment that knows nothing of AWS. */
  env: Readonly<Record<string, string>>;
}

/** Runs a script to its end, which is that of the test at the latest, and answers the JSON that it printed. */
export async function runPython({ executable, script, input, env }: PythonRun): Promise<unknown> {
  const child = spawn(executable, [script], { env: pythonEnvironment(env) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  // A script that died early closes its input; how it ended tells more than the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(stringifyJson(input));
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (end !== 0) throw new Error(`${script} ended with ${end}:\n${stderr.slice(-4_000)}`);
  try {
    return parseJson(stdout);
  } catch (cause) {
    throw new Error(`${script} printed no JSON: ${stdout.slice(0, 500)}\n${stderr.slice(-2_000)}`, { cause });
  }
}

/**
 * This process's environment without its AWS settings, UTF-8 whatever the locale is. Modules are compiled once: the
 * environments are installed without, and compiling what a script imports takes it seconds.
 */
export function pythonEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...withoutAws(process.env), PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '', ...env };
}

/** Leaves out what a developer has set up for the real AWS. */
function withoutAws(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AWS_')));
}
