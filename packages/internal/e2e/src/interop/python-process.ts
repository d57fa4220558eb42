import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseJson, stringifyJson } from '@art/ground';
import { pythonEnvironment } from './run-python.ts';

export interface PythonProcess extends AsyncDisposable {
  /** Gives the script a line of JSON and answers the line that it prints for it. One question at a time. */
  ask(input: unknown): Promise<unknown>;
}

/** Starts a script that answers line by line: importing AWS's SDK takes Python longer than most of what is asked. */
export function startPython(
  executable: string,
  script: string,
  env: Readonly<Record<string, string>>,
): PythonProcess {
  const child = spawn(executable, [script], { env: pythonEnvironment(env) });
  const ended = once(child, 'close');
  const errors = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // A script that died closes its input; what it said tells more than the broken pipe.
  child.stdin.on('error', () => {});
  return {
    async ask(input) {
      child.stdin.write(`${stringifyJson(input)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${script} ended:\n${(await errors).slice(-4_000)}`);
      return parseJson(value);
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
