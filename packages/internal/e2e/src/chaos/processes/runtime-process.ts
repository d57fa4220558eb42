import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { FaultPlan, InjectedFault } from '@art/local/faults';
import type { EndpointLogEntry, LocalSessionInfo } from '@art/local';

export interface RuntimeProcessOptions {
  /** Where logs and objects are. */
  root: string;
  /** 0 takes a free one. */
  port: number;
  agentMain: string;
  agentEnv: Record<string, string>;
  warmPoolSize: number;
  /** How many entries the endpoint's log keeps. */
  entries: number;
}

/** News of the endpoint since it was asked last. */
export interface EndpointNews {
  log: EndpointLogEntry[];
  faults: InjectedFault[];
}

/** A local runtime in its own process, which can be killed. */
export class RuntimeProcess {
  readonly endpoint: string;
  readonly arn: string;
  readonly #child: ChildProcess;
  readonly #answers: Interface;
  readonly #exited: Promise<unknown>;
  #lastLog = 0;
  #lastFault = 0;

  private constructor(child: ChildProcess, answers: Interface, ready: { endpoint: string; arn: string }) {
    this.#child = child;
    this.#answers = answers;
    this.endpoint = ready.endpoint;
    this.arn = ready.arn;
    this.#exited = once(child, 'exit');
  }

  static async start(options: RuntimeProcessOptions, env: NodeJS.ProcessEnv): Promise<RuntimeProcess> {
    const child = spawn(
      process.execPath,
      ['--conditions=@art/source', join(import.meta.dirname, 'runtime-main.ts'), JSON.stringify(options)],
      { stdio: ['pipe', 'pipe', 'inherit'], env },
    );
    const answers = createInterface({ input: child.stdout });
    const ready = await Promise.race([
      once(answers, 'line') as Promise<[string]>,
      once(child, 'exit').then(([code]) => {
        throw new Error(`The local runtime did not start; it exited with ${String(code)}.`);
      }),
    ]);
    return new RuntimeProcess(child, answers, JSON.parse(ready[0]) as { endpoint: string; arn: string });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get exited(): Promise<unknown> {
    return this.#exited;
  }

  get port(): number {
    return Number(new URL(this.endpoint).port);
  }

  async setFaults(faults: FaultPlan | undefined): Promise<void> {
    const set = once(this.#answers, 'line');
    this.#child.stdin!.write(`${JSON.stringify({ faults })}\n`);
    await Promise.race([set, this.#exited]);
  }

  /** Reads what happened since the last call. */
  async news(): Promise<EndpointNews> {
    const [{ entries }, { faults }] = await Promise.all([
      this.#get<{ entries: EndpointLogEntry[] }>(`log?after=${this.#lastLog}`),
      this.#get<{ faults: InjectedFault[] }>(`faults?after=${this.#lastFault}`),
    ]);
    const [first] = entries;
    if (first !== undefined && first.seq > this.#lastLog + 1)
      throw new Error(`The endpoint's log has forgotten ${first.seq - this.#lastLog - 1} entries.`);
    this.#lastLog = entries.at(-1)?.seq ?? this.#lastLog;
    this.#lastFault = faults.at(-1)?.seq ?? this.#lastFault;
    return { log: entries, faults };
  }

  async liveSessions(): Promise<LocalSessionInfo[]> {
    const { sessions } = await this.#get<{ sessions: LocalSessionInfo[] }>('sessions');
    return sessions.filter(({ state }) => state !== 'ended');
  }

  /** SIGKILL; its sessions must die with it. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async close(): Promise<void> {
    this.#child.stdin!.end();
    await this.#exited;
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.endpoint}/_art/${path}`);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return (await answer.json()) as T;
  }
}
