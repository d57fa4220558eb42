import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { ApiError } from '../proxy/api-error.ts';
import { ShardLink } from './shard-link.ts';
import { forkShard, startShard, tellShard } from './start-shard.ts';

/** What a gateway process is kept alive with. */
export interface ShardProcessOptions {
  index: number;
  /** Of this process alone. */
  options: ResolvedGatewayOptions;
  /** A path for each start, as a killed process leaves its socket behind. */
  socketPath: (start: number) => string;
  /** Brings a started gateway up to date before it gets calls. */
  prepare: (link: ShardLink) => Promise<void>;
  /** Told when it is started again. */
  restarted: () => void;
  log: FastifyBaseLogger;
}

type ShardState =
  | { kind: 'idle' }
  | { kind: 'starting'; child: ChildProcess }
  | { kind: 'ready'; child: ChildProcess; link: ShardLink; sinceMs: number }
  | { kind: 'down'; timer: NodeJS.Timeout }
  | { kind: 'draining' }
  | { kind: 'closed' };

/** A call waits so long for a process that is being started again. */
const readyPatienceMs = 15_000;
/** Failures that far apart have nothing to do with each other. */
const steadyMs = 30_000;
const restartDelay = { baseMs: 200, maxMs: 5_000 };
/** What a process gets beyond its own time for draining. */
const closePatienceMs = 5_000;

const closing = { status: 503, message: 'The gateway is closing.', code: 'gateway_closing' };
const down = {
  status: 503,
  message: 'The gateway process of this session is being started again. Try again in a moment.',
  code: 'gateway_process_down',
};

/** One of several gateway processes; started again whenever it ends. */
export class ShardProcess {
  readonly index: number;
  readonly #options: ShardProcessOptions;
  #state: ShardState = { kind: 'idle' };
  #changed = Promise.withResolvers<void>();
  #starts = 0;
  #failures = 0;

  constructor(options: ShardProcessOptions) {
    this.index = options.index;
    this.#options = options;
  }

  /** The operating system's id of the process, while there is one. */
  get pid(): number | undefined {
    const state = this.#state;
    return state.kind === 'ready' || state.kind === 'starting' ? state.child.pid : undefined;
  }

  /** The way to it, if it is up. */
  get link(): ShardLink | undefined {
    return this.#state.kind === 'ready' ? this.#state.link : undefined;
  }

  /** The first start. @throws ArtError why it failed; it is not tried again then */
  async start(): Promise<void> {
    try {
      await this.#launch();
    } catch (error) {
      this.#become({ kind: 'closed' });
      throw error;
    }
  }

  /**
   * The way to it, once it is up.
   * @param stale a way that was found to lead nowhere, though nobody has told yet that the process ended
   * @throws ApiError 503 if that takes too long or the gateway closes
   */
  async ready(stale?: ShardLink): Promise<ShardLink> {
    const isReady = (): boolean => this.link !== undefined && this.link !== stale;
    const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    try {
      for (let isLate = false; !isReady() && !this.#isEnding() && !isLate;) {
        timer ??= setTimeout(giveUp, readyPatienceMs);
        isLate = await Promise.race([this.#changed.promise.then(() => false), tooLate.then(() => true)]);
      }
    } finally {
      clearTimeout(timer);
    }
    const { link } = this;
    if (link !== undefined && isReady()) return link;
    throw new ApiError(this.#isEnding() ? closing : down);
  }

  /** Has it drain and end; it is killed if that takes too long. Idempotent. */
  async close(): Promise<void> {
    const state = this.#state;
    if (this.#isEnding()) return;
    this.#become({ kind: 'draining' });
    if (state.kind === 'down') clearTimeout(state.timer);
    if (state.kind === 'starting' || state.kind === 'ready') await this.#end(state.child);
    if (state.kind === 'ready') await state.link.close();
    this.#become({ kind: 'closed' });
  }

  #isEnding(): boolean {
    return this.#state.kind === 'draining' || this.#state.kind === 'closed';
  }

  #become(state: ShardState): void {
    this.#state = state;
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }

  async #end(child: ChildProcess): Promise<void> {
    if (hasEnded(child)) return;
    const exited = once(child, 'exit');
    const { shutdownGraceMs } = this.#options.options;
    const timer = setTimeout(() => child.kill('SIGKILL'), shutdownGraceMs + closePatienceMs);
    tellShard(child, { kind: 'close' });
    await exited;
    clearTimeout(timer);
  }

  async #launch(): Promise<void> {
    const { options, prepare } = this.#options;
    const socketPath = this.#options.socketPath(this.#starts);
    this.#starts += 1;
    const child = forkShard();
    this.#become({ kind: 'starting', child });
    let link: ShardLink | undefined;
    try {
      await startShard(child, options, socketPath);
      link = new ShardLink(socketPath);
      await prepare(link);
    } catch (error) {
      child.kill('SIGKILL');
      await link?.close();
      throw error;
    }
    if (this.#isEnding()) return await link.close();
    child.once('exit', () => this.#lost(child));
    this.#become({ kind: 'ready', child, link, sinceMs: performance.now() });
    // It may have ended before anybody listened for that.
    if (hasEnded(child)) this.#lost(child);
  }

  #lost(child: ChildProcess): void {
    const state = this.#state;
    if (state.kind !== 'ready' || state.child !== child) return;
    const { pid, exitCode, signalCode } = child;
    this.#options.log.error({ shard: this.index, pid, exitCode, signalCode }, 'gateway process ended');
    // Nobody waits for its connections; they are gone with it.
    state.link.close().catch(() => undefined);
    if (performance.now() - state.sinceMs > steadyMs) this.#failures = 0;
    this.#startAgain();
  }

  #startAgain(): void {
    const { baseMs, maxMs } = restartDelay;
    const delayMs = this.#failures === 0 ? 0 : Math.min(maxMs, baseMs * 2 ** (this.#failures - 1));
    this.#failures += 1;
    const timer = setTimeout(() => void this.#relaunch(), delayMs);
    this.#become({ kind: 'down', timer });
  }

  async #relaunch(): Promise<void> {
    this.#options.restarted();
    try {
      await this.#launch();
    } catch (error) {
      if (this.#isEnding()) return;
      this.#options.log.error({ err: error, shard: this.index }, 'gateway process did not start');
      this.#startAgain();
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
