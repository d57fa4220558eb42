import { growingPauseMs, pause } from '@art/ground';
import { AgentStartError } from './agent-start-error.ts';
import type { SessionLog } from './session-log.ts';
import type { AgentProcess } from './start-agent-process.ts';

export interface WarmPoolOptions {
  /** How many processes to keep ahead of demand; 0 starts on demand only. */
  size: number;
  stopGraceMs: number;
  /** Starts one process, to be killed after a time where there is one; rejects without leaving one behind. */
  start(signal: AbortSignal, killAfterMs?: number): Promise<AgentProcess>;
}

/** A healthy process for a session, and whether it was ready before it was asked for. */
export interface TakenProcess {
  agent: AgentProcess;
  warm: boolean;
}

interface Launch {
  starting: Promise<AgentProcess>;
  giveUp: AbortController;
  /** Set once the process is healthy. */
  agent?: AgentProcess;
}

const refillPauses = { firstMs: 500, longestMs: 30_000 };

/** Supply of one agent's processes: a launch is kept ahead for anyone who comes, or belongs to the session that took it. */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  /** Processes that no session has taken, healthy or still starting; the oldest first. */
  readonly #ahead: Launch[] = [];
  readonly #settling = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  /** Launches in a row that were lost ahead of demand; a broken agent must not be restarted in a tight loop. */
  #losses = 0;
  #refillPaused = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
  }

  /** Healthy processes that no session has taken. */
  get readyCount(): number {
    return this.#ahead.filter(({ agent }) => agent !== undefined).length;
  }

  /**
   * A healthy process: one that is ready, or else the oldest that is starting, or else a new one.
   * @param killAfterMs starts a new one that is killed so long after its start, on purpose; it may become healthy before
   * @throws AgentStartError; the signal's reason, once nothing of the process is left
   */
  async take(signal: AbortSignal, killAfterMs?: number): Promise<TakenProcess> {
    signal.throwIfAborted();
    const launch = (killAfterMs === undefined ? this.#next() : undefined) ?? this.#launch(killAfterMs);
    this.topUp();
    if (launch.agent !== undefined) return { agent: launch.agent, warm: true };
    const onAbort = (): void => launch.giveUp.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return { agent: await launch.starting, warm: false };
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Starts what is missing, in the background. */
  topUp(): void {
    if (this.#refillPaused || this.#closing.signal.aborted) return;
    while (this.#ahead.length < this.#options.size) this.#ahead.push(this.#launch());
  }

  /** Replaces every process that no session has taken, those that are starting included. */
  renew(): void {
    for (const launch of this.#ahead.splice(0)) this.#discard(launch);
    this.topUp();
  }

  /** Ends every process that no session has taken, and waits for the starts of those that were. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The local runtime is closing.'));
    for (const launch of this.#ahead.splice(0)) this.#discard(launch);
    await Promise.all(this.#settling);
  }

  #next(): Launch | undefined {
    const ready = this.#ahead.findIndex(({ agent }) => agent !== undefined);
    return this.#ahead.splice(Math.max(0, ready), 1)[0];
  }

  #launch(killAfterMs?: number): Launch {
    const giveUp = new AbortController();
    const launch: Launch = { starting: this.#options.start(giveUp.signal, killAfterMs), giveUp };
    this.#track(
      launch.starting.then(
        (agent) => {
          launch.agent = agent;
          this.#losses = 0;
          void agent.process.exited.then(() => this.#onLost(launch, agent.log));
        },
        (error: unknown) => this.#onLost(launch, error instanceof AgentStartError ? error.log : undefined),
      ),
    );
    return launch;
  }

  /** One that was kept ahead failed or died. Anyone who asks next will see the failure of its own start. */
  #onLost(launch: Launch, log: SessionLog | undefined): void {
    const index = this.#ahead.indexOf(launch);
    // The session that took it sees the same.
    if (index < 0) return;
    this.#ahead.splice(index, 1);
    log?.discard();
    this.#pauseRefill();
  }

  #pauseRefill(): void {
    if (this.#refillPaused) return;
    this.#refillPaused = true;
    this.#losses += 1;
    const pauseMs = growingPauseMs(this.#losses, refillPauses);
    const { signal } = this.#closing;
    const resume = (): void => {
      this.#refillPaused = false;
      this.topUp();
    };
    this.#track(pause(pauseMs, { signal }).then(resume, resume));
  }

  #discard({ starting, giveUp }: Launch): void {
    giveUp.abort(new Error('Nobody waits for this process any more.'));
    const discarded = async (agent: AgentProcess): Promise<void> => {
      await agent.process.stop(this.#options.stopGraceMs);
      agent.log.discard();
    };
    this.#track(starting.then(discarded, () => {}));
  }

  #track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.#settling.delete(tracked));
    this.#settling.add(tracked);
  }
}
