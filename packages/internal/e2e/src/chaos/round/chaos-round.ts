import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientLine } from '../evidence/client-line.ts';
import { readAllLines } from '../evidence/durable-lines.ts';
import type { HandlerRun } from '../evidence/handler-run.ts';
import type { RoundEvidence } from '../evidence/round-evidence.ts';
import type { ChaosRuntime } from '../processes/chaos-runtime.ts';
import { ClientProcess } from '../processes/client-process.ts';
import type { ClientTask } from '../processes/client-task.ts';
import { SeededRandom } from '../seeded-random.ts';
import { chaosPayloads } from './chaos-payload.ts';
import { doMischief } from './mischief.ts';

export interface ChaosRoundOptions {
  seed: number;
  round: number;
  rollouts: number;
  concurrency: number;
  /** How long things go wrong, at least; then the round is let finish in peace. */
  faultsForMs: number;
  /** True if enough has gone wrong. */
  isEnough: () => boolean;
  faultsAtATime: readonly [number, number];
  agentKillEveryMs: readonly [number, number];
  runtimeKillEveryMs: readonly [number, number];
  /** How long a client lives, least and most. */
  clientKillAfterMs: readonly [number, number];
  runtime: ChaosRuntime;
  /** A folder of its own. */
  directory: string;
  handlerRunsFile: string;
  secret: string;
  env: NodeJS.ProcessEnv;
  onClientKilled: () => void;
  onAgentKilled: () => void;
  signal: AbortSignal;
}

const timeoutMs = 15_000;
const sessionsEndWithinMs = 15_000;

/** One batch, from its first submission to the proof that nothing of it is left, through as many lives as it takes. */
export class ChaosRound {
  readonly #options: ChaosRoundOptions;
  readonly #random: SeededRandom;
  readonly #task: ClientTask;
  readonly #twins: [number, number][] = [];
  readonly #logFrom: number;
  readonly #killsBefore: number;
  #lives = 0;

  constructor(options: ChaosRoundOptions) {
    const { seed, round, rollouts, concurrency, runtime, directory } = options;
    this.#options = options;
    this.#random = new SeededRandom(seed, 'lives', round);
    this.#logFrom = runtime.log.length;
    this.#killsBefore = runtime.killedAtMs.length;
    this.#task = {
      endpoint: runtime.endpoint,
      agentRuntimeArn: runtime.arn,
      transport: this.#random.pick(['http', 'aws']),
      runId: `round-${round}`,
      payloads: chaosPayloads(seed, round, rollouts),
      concurrency,
      timeoutMs,
      journal: this.#random.chance(0.5)
        ? { kind: 'file', directory: join(directory, 'journal') }
        : { kind: 'store' },
      acknowledge: this.#random.pick(['next', 'explicit']),
      outputFile: join(directory, 'output.jsonl'),
    };
  }

  /** @throws the signal's reason; an Error when the round does not come to its end */
  async play(): Promise<RoundEvidence> {
    const { directory, faultsForMs, isEnough, signal, runtime, onAgentKilled } = this.#options;
    await mkdir(directory, { recursive: true });
    await writeFile(this.#taskFile, JSON.stringify(this.#task));
    const peace = new AbortController();
    const startedMs = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - startedMs >= faultsForMs && isEnough()) peace.abort();
    }, 100);
    const mischief = doMischief({ ...this.#options, onAgentKilled }, AbortSignal.any([signal, peace.signal]));
    const calm = mischief.then(() => runtime.setFaults(undefined));
    try {
      await this.#liveUntilComplete(peace.signal, calm);
    } finally {
      clearInterval(timer);
      peace.abort();
      await calm;
    }
    signal.throwIfAborted();
    const finalLife = await this.#start();
    await this.#within(finalLife.exited, 'The last life');
    const leftSessions = await this.#sessionsThatStay();
    await runtime.collect();
    return this.#evidence(finalLife.life, leftSessions);
  }

  async #liveUntilComplete(peace: AbortSignal, calm: Promise<void>): Promise<void> {
    const { signal, onClientKilled } = this.#options;
    for (;;) {
      if (peace.aborted) await calm;
      signal.throwIfAborted();
      const client = await this.#startOneOrTwo();
      if (peace.aborted) {
        await calm;
        await this.#within(client.exited, `Life ${client.life}, without any fault,`);
      } else if ((await this.#exitsBeforeItsTime(client, peace)) === 'killed') {
        onClientKilled();
        continue;
      }
      if (this.#endOf(client.life)?.how === 'complete') return;
      if (peace.aborted && this.#endOf(client.life)?.how === 'failed') return;
    }
  }

  /** Two that resume at once: the one that is turned away has ended by itself. */
  async #startOneOrTwo(): Promise<ClientProcess> {
    if (!this.#random.chance(0.15)) return this.#start();
    const both = [await this.#start(), await this.#start()] as const;
    this.#twins.push([both[0].life, both[1].life]);
    const loser = await this.#within(
      Promise.race(both.map((client) => client.exited.then(() => client))),
      `The first of lives ${both[0].life} and ${both[1].life}`,
    );
    return both[0] === loser ? both[1] : both[0];
  }

  async #exitsBeforeItsTime(client: ClientProcess, peace: AbortSignal): Promise<'exited' | 'killed'> {
    const [least, most] = this.#options.clientKillAfterMs;
    // Now and then it is killed while it starts; otherwise its time begins when it has started.
    const isEarly = this.#random.chance(0.25);
    const killAfterMs = isEarly ? this.#random.integer(0, least) : this.#random.integer(least, most);
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#options.signal, peace]);
    const wait = async (): Promise<void> => {
      if (!isEarly) while (!this.#hasBegun(client.life)) await sleep(50, undefined, { signal });
      await sleep(killAfterMs, undefined, { signal });
    };
    await Promise.race([client.exited, wait().catch(() => undefined)]);
    over.abort();
    return (await client.kill()) ? 'killed' : 'exited';
  }

  async #start(): Promise<ClientProcess> {
    const { directory, env } = this.#options;
    this.#lives += 1;
    // Each life in its own place: nothing but the journal may connect it with the one before.
    const cwd = join(directory, `life-${this.#lives}`);
    await mkdir(cwd, { recursive: true });
    const AWS_ENDPOINT_URL = this.#options.runtime.endpoint;
    return new ClientProcess(this.#lives, this.#taskFile, { cwd, env: { ...env, AWS_ENDPOINT_URL } });
  }

  async #sessionsThatStay(): Promise<string[]> {
    const untilMs = Date.now() + sessionsEndWithinMs;
    for (;;) {
      const live = await this.#options.runtime.liveSessions();
      if (live.length === 0 || Date.now() > untilMs) return live.map((session) => session.sessionId);
      await sleep(200);
    }
  }

  /** @throws Error when it takes longer than a round can take in peace */
  async #within<T>(work: Promise<T>, what: string): Promise<T> {
    const limitMs = 60_000 + this.#options.rollouts * 10_000;
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, this.#options.signal]);
    try {
      return await Promise.race([
        work,
        sleep(limitMs, undefined, { signal }).then(() => {
          throw new Error(`${what} did not end within ${limitMs} ms.`);
        }),
      ]);
    } finally {
      late.abort();
    }
  }

  #endOf(life: number): Extract<ClientLine, { event: 'ended' }> | undefined {
    return readAllLines<ClientLine>(this.#task.outputFile)
      .filter((line) => line.event === 'ended')
      .find((line) => line.life === life);
  }

  #hasBegun(life: number): boolean {
    return readAllLines<ClientLine>(this.#task.outputFile).some((line) => line.life === life);
  }

  get #taskFile(): string {
    return join(this.#options.directory, 'task.json');
  }

  #evidence(finalLife: number, leftSessions: readonly string[]): RoundEvidence {
    const { runtime, secret, round, handlerRunsFile } = this.#options;
    return {
      payloads: this.#task.payloads,
      lines: readAllLines<ClientLine>(this.#task.outputFile),
      handlerRuns: readAllLines<HandlerRun>(handlerRunsFile).filter((run) => run.round === round),
      log: runtime.log.slice(this.#logFrom),
      faults: [...runtime.faults.values()],
      logHasGaps: runtime.killedAtMs.length > this.#killsBefore,
      twins: this.#twins,
      finalLife,
      leftSessions,
      secret,
    };
  }
}
