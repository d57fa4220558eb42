import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { endProcesses } from './end-processes.ts';
import type { Interpreter } from './interpreter.ts';
import type { Isolation } from './isolation.ts';
import { watchProgram } from './watch-program.ts';

export interface CodeLimits {
  /** Longest time of program and tests together. @default 10_000 */
  timeoutMs: number;
  /** Most memory of each process (the address space of Python, the heap of Node), and on Linux of all that a program starts. @default 512 MiB */
  memoryBytes: number;
  /** Most output, of both streams of program and tests together. @default 64 KiB */
  outputBytes: number;
}

export interface JudgedProgram {
  program: string;
  tests: string;
  interpreter: Interpreter;
  /** Undefined where there is none. */
  isolation: Isolation | undefined;
  network: boolean;
}

export type JudgedEnd =
  | { kind: 'passed'; output: string }
  | { kind: 'failed'; why: string; output: string }
  /** No program could pass. */
  | { kind: 'broken'; why: string }
  | { kind: 'timeout' | 'output'; output: string }
  /** Nothing could be run at all. */
  | { kind: 'unavailable'; why: string };

/** A file may be as large as this: more would fill the disk. In units of 512 bytes. */
const fileBlocks = 131_072;
/** Values that a program gives its tests. */
const mostValueBytes = 64 * 2 ** 20;

/**
 * Runs a program and its tests in two processes, which speak by two pipes. The program's has no part of the tests; that of the tests
 * gives the verdict. When it is there, both have ended, and what they have started.
 * @throws the signal's reason
 */
export async function runJudged(
  judged: JudgedProgram,
  limits: CodeLimits,
  signal: AbortSignal | undefined,
): Promise<JudgedEnd> {
  signal?.throwIfAborted();
  const { interpreter, isolation, network, program, tests } = judged;
  const folder = await mkdtemp(join(tmpdir(), 'art-code-'));
  const run = new Run(limits);
  const onAbort = (): void => run.end({ kind: 'failed', why: '', output: '' });
  try {
    const command = [interpreter.program, ...interpreter.solution];
    const solution = run.start(isolation?.wrap(folder, network, command) ?? command, folder, interpreter, [
      'ignore',
      'pipe',
      'pipe',
      'pipe',
      'pipe',
    ]);
    run.watch(solution);
    const judge = run.start([interpreter.program, ...interpreter.judge], folder, interpreter, [
      'pipe',
      'pipe',
      'pipe',
      'pipe',
      'pipe',
      'pipe',
    ]);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    run.connect(solution, judge);
    // The solution waits for a second line, which the judge writes when it has compiled the tests.
    (solution.stdio[3] as Writable).write(`${JSON.stringify({ program })}\n`);
    judge.stdin!.end(tests);
    const ended = await run.ended;
    signal?.throwIfAborted();
    return ended;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await run.close(folder, isolation !== undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Two processes, their output, and the first reason to end them. */
class Run {
  readonly #limits: CodeLimits;
  readonly #children: ChildProcess[] = [];
  readonly #output: Buffer[] = [];
  readonly #timer: NodeJS.Timeout;
  #outputBytes = 0;
  #verdict = '';
  readonly #ended = Promise.withResolvers<JudgedEnd>();
  #endWatch = (): void => undefined;

  constructor(limits: CodeLimits) {
    this.#limits = limits;
    this.#timer = setTimeout(() => this.end({ kind: 'timeout', output: '' }), limits.timeoutMs);
  }

  get ended(): Promise<JudgedEnd> {
    return this.#ended.promise;
  }

  end(end: JudgedEnd): void {
    const output = Buffer.concat(this.#output).toString('utf8').trim().slice(-2_000);
    this.#ended.resolve('output' in end ? { ...end, output } : end);
  }

  start(
    command: readonly string[],
    folder: string,
    { boundsAddressSpace }: Interpreter,
    stdio: ('pipe' | 'ignore')[],
  ): ChildProcess {
    const { memoryBytes, timeoutMs } = this.#limits;
    // Each bound by itself: macOS knows no address space, and a bound that fails must not end the program.
    const bounds = [
      `ulimit -f ${fileBlocks}`,
      `ulimit -c 0`,
      `ulimit -t ${Math.ceil(timeoutMs / 1_000) + 1}`,
      ...(boundsAddressSpace ? [`ulimit -v ${Math.ceil(memoryBytes / 1_024)}`] : []),
    ].map((bound) => `${bound} 2>/dev/null;`);
    const child = spawn('/bin/sh', ['-c', `${bounds.join(' ')} exec "$@"`, 'sh', ...command], {
      cwd: folder,
      // HOME marks the run, for processes that left their group.
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      stdio,
      // A group of its own, which is killed as a whole.
      detached: true,
    });
    child.once('error', ({ message }) => this.end({ kind: 'unavailable', why: message }));
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (part: Buffer) => this.#keep(part));
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    this.#children.push(child);
    return child;
  }

  watch({ pid }: ChildProcess): void {
    if (pid === undefined) return;
    this.#endWatch = watchProgram(pid, this.#limits.memoryBytes, (why) =>
      this.end({ kind: 'failed', why, output: '' }),
    );
  }

  connect(solution: ChildProcess, judge: ChildProcess): void {
    let bytes = 0;
    (judge.stdio[4] as Readable).pipe(solution.stdio[3] as Writable);
    (solution.stdio[4] as Readable)
      .on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > mostValueBytes) this.end({ kind: 'output', output: '' });
      })
      .pipe(judge.stdio[3] as Writable);
    const [, , , , , verdict] = judge.stdio as (Readable | undefined)[];
    verdict?.on('data', (part: Buffer) => (this.#verdict += part.toString('utf8')));
    judge.once('close', (exitCode) => {
      const end = (): void => this.#judgeEnded(exitCode);
      // The last words of a program that has ended on its own, which may still be on their way.
      if (solution.exitCode !== null || solution.signalCode !== null) setImmediate(end);
      else solution.once('exit', () => setImmediate(end));
      // One that continues is not waited for.
      if (!readVerdict(this.#verdict).ended) end();
    });
  }

  /** Ends all that was started. */
  async close(folder: string, isIsolated: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#endWatch();
    await endProcesses(this.#children, folder, isIsolated);
    for (const child of this.#children) for (const stream of child.stdio) stream?.destroy();
  }

  #keep(part: Buffer): void {
    this.#outputBytes += part.length;
    if (this.#outputBytes > this.#limits.outputBytes) this.end({ kind: 'output', output: '' });
    else this.#output.push(part);
  }

  #judgeEnded(exitCode: number | null): void {
    const { broken, failed, passed } = readVerdict(this.#verdict);
    if (broken !== undefined) return this.end({ kind: 'broken', why: broken });
    if (passed === true && exitCode === 0) return this.end({ kind: 'passed', output: '' });
    return this.end({ kind: 'failed', why: failed ?? 'The tests failed.', output: '' });
  }
}

interface Verdict {
  passed?: boolean;
  failed?: string;
  broken?: string;
  /** The program ended before its tests. */
  ended?: boolean;
}

/** Reads the verdict: the first one counts, and anything else is passed over. */
function readVerdict(text: string): Verdict {
  const end = text.indexOf('\n');
  try {
    return end === -1 ? {} : (JSON.parse(text.slice(0, end)) as Verdict);
  } catch {
    return {};
  }
}
