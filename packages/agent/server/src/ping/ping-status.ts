import { callWithin, describeValue, refuseOption } from '@art/ground';
import { type PingReply, type PingStatus } from '@art/protocol';
import type { AsyncTasks } from './async-tasks.ts';
import type { PingBoard, PingState } from './ping-thread.ts';

/** Says how the session is, instead of the count of background tasks. May be async. A `Healthy` while a rollout runs is overruled. */
export type PingHandler = () => PingStatus | Promise<PingStatus>;

export interface PingStatusOptions {
  /** Where the answer is left for a thread that answers pings. @default one that only this thread reads */
  board?: PingBoard | undefined;
  /** Called with the reason why the custom handler's answer was not used. */
  warn: (message: string, error?: unknown) => void;
  /** Wall clock in ms since the epoch. @default Date.now */
  nowMs?: () => number;
}

/** How long a custom handler may think; the platform gives up on a slow ping. */
const handlerTimeoutMs = 1_000;

/**
 * Decides what `/ping` reports: a forced status, else what the custom handler says, else whether background work continues. A
 * rollout keeps its session busy whatever the handler says.
 *
 * `time_of_last_update` is in whole unix seconds and moves only when the reported status does. Both matter on AgentCore:
 * a session whose field is missing or a string is reaped although it is busy, one that stamps every ping is never reaped.
 */
export class PingStatusDecision {
  readonly #tasks: AsyncTasks;
  readonly #board: PingBoard;
  readonly #warn: PingStatusOptions['warn'];
  readonly #nowMs: () => number;
  #forced: PingStatus | undefined;
  #handler: PingHandler | undefined;
  #hasOverruled = false;

  /** @param tasks the background work that continues */
  constructor(tasks: AsyncTasks, { board = new OwnPingBoard(), warn, nowMs = Date.now }: PingStatusOptions) {
    this.#tasks = tasks;
    this.#board = board;
    this.#warn = warn;
    this.#nowMs = nowMs;
    tasks.onChange = () => this.#publish();
    this.#publish();
  }

  setHandler(handler: PingHandler): void {
    this.#handler = handler;
    this.#publish();
  }

  /** True if the app has a ping handler that is asked. */
  get hasHandler(): boolean {
    return this.#handler !== undefined;
  }

  /** @throws ArtError `ART_INVALID_OPTION` */
  force(status: PingStatus): void {
    if (!isPingStatus(status)) {
      refuseOption('status', "'Healthy' or 'HealthyBusy'", status);
    }
    this.#forced = status;
    this.#publish();
  }

  clearForced(): void {
    this.#forced = undefined;
    this.#publish();
  }

  /**
   * Forgets when the status changed last. The health checks before a snapshot of the process have set that, and a session that is
   * restored days later would look as if it had been idle for days.
   */
  forgetTime(): void {
    this.#board.forgetTime();
  }

  async report(): Promise<PingReply> {
    const status = this.#forced ?? (await this.#custom()) ?? (this.#tasks.busy ? 'HealthyBusy' : 'Healthy');
    if (this.#forced === undefined) this.#publish(status);
    return this.#board.report(status, this.#nowMs());
  }

  #publish(said: PingState['said'] = this.#forced): void {
    const mode = this.#forced !== undefined ? 'forced' : this.#handler !== undefined ? 'handler' : 'tasks';
    this.#board.publish({ mode, busy: this.#tasks.busy, said });
  }

  async #custom(): Promise<PingStatus | undefined> {
    const handler = this.#handler;
    if (handler === undefined) return undefined;
    try {
      const status = await callWithin(async () => handler(), {
        timeoutMs: handlerTimeoutMs,
        timeoutError: (limitMs) => new Error(`no answer within ${limitMs} ms`),
      });
      if (status === 'Healthy' && this.#tasks.hasRollouts) return this.#overrule();
      if (isPingStatus(status)) return status;
      this.#warn(
        `Expected the ping handler to return 'Healthy' or 'HealthyBusy', got ${describeValue(status)}; reporting by background work instead.`,
      );
    } catch (error) {
      this.#warn('The ping handler failed; reporting by background work instead.', error);
    }
    return undefined;
  }

  // AgentCore ends a session that says so for 15 minutes, with the rollout in it.
  #overrule(): PingStatus {
    if (!this.#hasOverruled)
      this.#warn(
        "The ping handler says 'Healthy' while a rollout runs; reporting 'HealthyBusy', or AgentCore would end the session as idle. This is logged once.",
      );
    this.#hasOverruled = true;
    return 'HealthyBusy';
  }
}

function isPingStatus(value: unknown): value is PingStatus {
  return value === 'Healthy' || value === 'HealthyBusy';
}

/** The board of an app that answers its pings by itself. */
class OwnPingBoard implements PingBoard {
  #reported: PingReply | undefined;

  publish(): void {
    // Nobody else reads it.
  }

  forgetTime(): void {
    this.#reported = undefined;
  }

  report(status: PingStatus, nowMs: number): PingReply {
    if (this.#reported?.status !== status)
      this.#reported = { status, time_of_last_update: Math.floor(nowMs / 1_000) };
    return this.#reported;
  }
}
