import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { javascriptJudge } from './programs/javascript-judge.ts';
import { javascriptSolution } from './programs/javascript-solution.ts';
import { pythonJudge } from './programs/python-judge.ts';
import { pythonSolution } from './programs/python-solution.ts';

export type CodeLanguage = 'python' | 'javascript';

/** How programs of a language are run. */
export interface Interpreter {
  /** The program itself, and not a script that starts another one. */
  program: string;
  /** Folders that it needs beside the system's programs. */
  folders: readonly string[];
  /** The arguments that run the side of the tests, and that of the solution. */
  judge: readonly string[];
  solution: readonly string[];
  /** True if its address space can be limited. V8 reserves far more address space than it uses memory. */
  boundsAddressSpace: boolean;
}

/** @throws whatever comes of asking the interpreter, where there is none */
export async function findInterpreter(
  language: CodeLanguage,
  command: string | undefined,
  memoryBytes: number,
): Promise<Interpreter> {
  if (language === 'python') {
    const [program, ...folders] = await ask(command ?? 'python3', [
      '-I',
      '-c',
      'import json, sys; print(json.dumps([sys.executable, sys.base_prefix, sys.prefix]))',
    ]);
    // Isolated: neither the user's packages nor variables of the environment.
    const flags = ['-I', '-B', '-c'];
    return {
      program,
      folders,
      judge: [...flags, pythonJudge],
      solution: [...flags, pythonSolution],
      boundsAddressSpace: true,
    };
  }
  const [program] = await ask(command ?? process.execPath, ['-p', 'JSON.stringify([process.execPath])']);
  const flags = [
    `--max-old-space-size=${Math.max(16, Math.floor(memoryBytes / 2 ** 20))}`,
    '--no-warnings',
    '--input-type=module',
  ];
  return {
    program,
    folders: [dirname(await realpath(program))],
    judge: [...flags, '--experimental-vm-modules', '-e', javascriptJudge],
    solution: [...flags, '-e', javascriptSolution],
    boundsAddressSpace: false,
  };
}

const answers = new Map<string, Promise<[string, ...string[]]>>();

function ask(command: string, args: readonly string[]): Promise<[string, ...string[]]> {
  const key = JSON.stringify([command, args]);
  const known =
    answers.get(key) ??
    promisify(execFile)(command, args, { timeout: 60_000 }).then(
      ({ stdout }) => JSON.parse(stdout) as [string, ...string[]],
    );
  answers.set(key, known);
  // What is missing now may be there later.
  known.catch(() => answers.delete(key));
  return known;
}
