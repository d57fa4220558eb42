import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { takePort } from '@art/local';
import { vi } from 'vitest';
import type { PageStep } from './page-steps.ts';
import { workspaceRoot } from './readme.ts';

const patienceMs = 240_000;
/** For what is left out of the suite because it is long, on a machine that has other work. */
const longPatienceMs = 840_000;
/** Some forty processes run the same sources: they are compiled once. */
const compileCache = join(workspaceRoot, 'node_modules/.cache/art-compile');
const installer = join(import.meta.dirname, 'link-packages-process.ts');
const creator = join(workspaceRoot, 'packages/command/create-agent/src/main.ts');

/**
 * Somebody who follows pages from an empty folder, with shell, npm, npx and Node as they are. Three things are not: `npm install`
 * links packages of this workspace, whose sources Node runs, as `npm create` does; each port of the pages is replaced by one that is
 * free; and evaluations take one sample of a task.
 */
export class PageReader implements AsyncDisposable {
  readonly #folder: string;
  readonly #desk: string;
  readonly #goodbyeMs: number;
  readonly #ports = new Map<string, number>();
  readonly #terminals: ChildProcess[] = [];
  readonly #servers: { script: string; process: ChildProcess; output: () => string }[] = [];
  #exports = '';

  private constructor(desk: string, goodbyeMs: number) {
    this.#desk = desk;
    this.#goodbyeMs = goodbyeMs;
    this.#folder = join(desk, 'folder');
  }

  /** @param goodbyeMs how long what still runs may take to end after Ctrl-C */
  static async sitDown(goodbyeMs = 60_000): Promise<PageReader> {
    const reader = new PageReader(realpathSync(await mkdtemp(join(tmpdir(), 'art-pages-'))), goodbyeMs);
    const programs = join(reader.#desk, 'bin');
    await Promise.all([mkdir(reader.#folder), mkdir(programs)]);
    await reader.#putCwd(reader.#folder);
    const npm = join(programs, 'npm');
    await writeFile(
      npm,
      `#!/bin/sh
case "$1 $2" in
  install*) exec node '${installer}' "$@" ;;
  'create @art/agent')
    shift 2
    for word; do shift; [ "$word" = -- ] || set -- "$@" "$word"; done
    exec node '${creator}' "$@" ;;
esac
exec '${realNpm()}' "$@"
`,
    );
    await chmod(npm, 0o755);
    return reader;
  }

  /** Does one step of a page; throws where it does not end as the page says. */
  async follow(step: PageStep): Promise<void> {
    if (step.kind === 'save') {
      const file = join(await this.#cwd(), step.file);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await this.#asRun(step.text));
    } else if (step.kind === 'start') {
      await this.#start(step);
    } else if (step.kind === 'run') {
      await this.#run(step);
    }
  }

  /** Throws where something has ended that should continue. */
  checkServers(): void {
    const ended = this.#servers.find(
      ({ process }) => process.exitCode !== null || process.signalCode !== null,
    );
    if (ended !== undefined) throw new Error(`It does not go on:\n${ended.script}\n${ended.output()}`);
  }

  /** Ctrl-C in every terminal; whatever has not ended then is an error. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      for (const terminal of this.#terminals) signalAll(terminal, 'SIGINT');
      await vi.waitFor(
        () => {
          const left = this.#terminals.filter((terminal) => signalAll(terminal, 0));
          if (left.length > 0)
            throw new Error(
              `After Ctrl-C there are still ${left.map((one) => one.spawnargs.at(-1)).join(', ')}`,
            );
        },
        { timeout: this.#goodbyeMs },
      );
    } finally {
      for (const terminal of this.#terminals) signalAll(terminal, 'SIGKILL');
      await rm(this.#desk, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  async #run({ script, exitCode, prints, isLong }: PageStep & { kind: 'run' }): Promise<void> {
    const shell = await this.#shell(`${script}\npwd >'${this.#cwdFile}'`);
    const limitMs = isLong ? longPatienceMs : patienceMs;
    const time = setTimeout(() => signalAll(shell.process, 'SIGKILL'), limitMs);
    const [code] = (await once(shell.process, 'close')) as [number | null];
    clearTimeout(time);
    if (code !== exitCode)
      throw new Error(
        `expected exit code ${exitCode}, got ${code ?? `none in ${limitMs / 1_000} s`}:\n${script}\n${shell.output()}`,
      );
    refuseMissing(prints, script, shell.output());
  }

  /** Returns when an address has been printed; what it tells to export holds in the other terminals from then on. */
  async #start({ script, prints }: PageStep & { kind: 'start' }): Promise<void> {
    const shell = await this.#shell(script);
    const lines = (await this.#asRun(prints.join('\n'))).split('\n').filter((line) => line !== '');
    await vi.waitFor(
      () => {
        const { exitCode, signalCode } = shell.process;
        if (exitCode !== null || signalCode !== null) return;
        if (!/https?:\/\/[\s\S]*\n/.test(shell.output()))
          throw new Error(`No address has been printed by ${script}:\n${shell.output()}`);
        refuseMissing(lines, script, shell.output());
      },
      { timeout: patienceMs, interval: 20 },
    );
    this.#servers.push({ script, ...shell });
    const told = [...shell.output().matchAll(/^ +(export \w+=\S+)$/gm)].map(([, line]) => line);
    this.#exports = [this.#exports, ...told].join('\n');
  }

  async #shell(script: string): Promise<{ process: ChildProcess; output: () => string }> {
    const env = { ...process.env };
    for (const name of Object.keys(env))
      if (/^(AWS|ART|npm)_|^(FORCE_COLOR|VITEST|NODE_ENV|NODE_PATH)$/.test(name)) delete env[name];
    const path = [join(this.#desk, 'bin'), dirname(process.execPath), env['PATH']].join(delimiter);
    let output = '';
    const child = spawn('bash', ['-ec', `${this.#exports}\n${await this.#asRun(script)}`], {
      cwd: await this.#cwd(),
      env: {
        ...env,
        PATH: path,
        NODE_OPTIONS: '--conditions=@art/source',
        NODE_COMPILE_CACHE: compileCache,
        npm_config_update_notifier: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, as a terminal has: Ctrl-C reaches all that runs in it.
      detached: true,
    });
    this.#terminals.push(child);
    child.stdout.on('data', (piece) => (output += piece));
    child.stderr.on('data', (piece) => (output += piece));
    await once(child, 'spawn');
    return { process: child, output: () => output };
  }

  get #cwdFile(): string {
    return join(this.#desk, 'cwd');
  }

  async #cwd(): Promise<string> {
    return (await readFile(this.#cwdFile, 'utf8')).trim();
  }

  async #putCwd(folder: string): Promise<void> {
    await writeFile(this.#cwdFile, folder);
  }

  async #asRun(text: string): Promise<string> {
    for (const [, port] of text.matchAll(/(?:127\.0\.0\.1:|localhost:|--port )(\d{4,5})\b/g))
      if (!this.#ports.has(port!) && ![...this.#ports.values()].includes(Number(port)))
        this.#ports.set(port!, await takePort());
    return text
      .replaceAll(/(?<=--samples )\d+/g, '1')
      .replaceAll(
        /(?<=127\.0\.0\.1:|localhost:|--port )\d{4,5}\b/g,
        (port) => `${this.#ports.get(port) ?? port}`,
      );
  }
}

/** Throws where a line is none of an output's; `...` stands for anything, and spaces may be more or fewer. */
function refuseMissing(lines: readonly string[], script: string, output: string): void {
  const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
  const printed = output.split('\n').map(plain);
  const missing = lines.filter((line) => {
    const parts = plain(line).split('...');
    const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
    return !printed.some((candidate) => new RegExp(`^${pattern}$`).test(candidate));
  });
  if (missing.length > 0) throw new Error(`It does not print\n${missing.join('\n')}\n${script}\n${output}`);
}

function realNpm(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, 'npm')).find((path) => existsSync(path));
  if (found === undefined) throw new Error('There is no npm in PATH.');
  return found;
}

/** Signals all processes of a terminal. @returns true if any was there to get the signal */
function signalAll(terminal: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-terminal.pid!, signal);
  } catch {
    return false;
  }
}
