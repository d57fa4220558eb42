import type { FaultPlan, InjectedFault } from '@art/local/faults';
import type { EndpointLogEntry } from '@art/local';
import type { SeededRandom } from '../seeded-random.ts';
import { RuntimeProcess, type RuntimeProcessOptions } from './runtime-process.ts';

const collectEveryMs = 300;

/** The local runtime of a run: it outlives its processes, and keeps what each of them had to tell. */
export class ChaosRuntime {
  /** Log of the endpoint, over all of its processes. */
  readonly log: EndpointLogEntry[] = [];
  readonly faults = new Map<string, InjectedFault>();
  /** When a process was killed, with what it had not told yet. */
  readonly killedAtMs: number[] = [];
  readonly #options: RuntimeProcessOptions;
  readonly #env: NodeJS.ProcessEnv;
  #process: RuntimeProcess;
  #plan: FaultPlan | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(process: RuntimeProcess, options: RuntimeProcessOptions, env: NodeJS.ProcessEnv) {
    this.#process = process;
    this.#options = { ...options, port: process.port };
    this.#env = env;
    this.#timer = setInterval(() => void this.collect(), collectEveryMs);
  }

  static async start(options: RuntimeProcessOptions, env: NodeJS.ProcessEnv): Promise<ChaosRuntime> {
    return new ChaosRuntime(await RuntimeProcess.start(options, env), options, env);
  }

  get endpoint(): string {
    return this.#process.endpoint;
  }

  get arn(): string {
    return this.#process.arn;
  }

  get port(): number {
    return this.#process.port;
  }

  setFaults(plan: FaultPlan | undefined): Promise<void> {
    this.#plan = plan;
    return this.#inTurn(() => this.#process.setFaults(plan));
  }

  /** Fetches what happened since the last time. */
  collect(): Promise<void> {
    return this.#inTurn(async () => {
      const { log, faults } = await this.#process.news();
      this.log.push(...log);
      for (const fault of faults) this.faults.set(`${this.killedAtMs.length}/${fault.seq}`, fault);
    });
  }

  liveSessions(): ReturnType<RuntimeProcess['liveSessions']> {
    return this.#inTurn(() => this.#process.liveSessions());
  }

  /** SIGKILL for the process of a session. @returns its id; undefined where none was alive */
  async killAgent(random: SeededRandom): Promise<string | undefined> {
    const [session] = random.sample(await this.liveSessions(), 1);
    if (session?.pid === undefined) return undefined;
    try {
      process.kill(session.pid, 'SIGKILL');
    } catch {
      return undefined;
    }
    return session.sessionId;
  }

  /** SIGKILL, then another one in its place, over the same folder and port. */
  killAndRestart(): Promise<void> {
    return this.#inTurn(async () => {
      const { log, faults } = await this.#process.news();
      this.log.push(...log);
      for (const fault of faults) this.faults.set(`${this.killedAtMs.length}/${fault.seq}`, fault);
      await this.#process.kill();
      this.killedAtMs.push(Date.now());
      this.#process = await RuntimeProcess.start(this.#options, this.#env);
      await this.#process.setFaults(this.#plan);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#inTurn(() => this.#process.close());
  }

  /** Without waiting for anything: the run was broken off. */
  async abandon(): Promise<void> {
    clearInterval(this.#timer);
    await this.#process.kill();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
