import { constants } from 'node:os';
import { ArtError } from '@art/ground';

const watched = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// One Ctrl-C may arrive twice: a terminal sends it to the whole process group, and npm passes on the one that it got itself.
const samePressMs = 500;

/** The part of `process` that this needs. */
export type SignalHost = Pick<
  NodeJS.Process,
  'on' | 'once' | 'off' | 'exit' | 'exitCode' | 'listenerCount'
> & { stderr: { write(text: string): unknown } };

export interface StopOnSignalsDeps {
  /** Stops everything; resolves when every session was told. */
  stop: (reason: ArtError) => Promise<void>;
  /** Monotonic milliseconds. */
  nowMs: () => number;
  /** @default process */
  host?: SignalHost | undefined;
}

/**
 * Stops the sessions of a client when its process is told to end, and gives the process the exit code of the signal. It
 * listens only while there is something to stop: before and after, Ctrl-C does what it always does.
 */
export class StopOnSignals {
  readonly #deps: StopOnSignalsDeps;
  readonly #host: SignalHost;
  #holders = 0;
  #first: { reason: ArtError; exitCode: number; atMs: number } | undefined;
  #stopped: Promise<unknown> = Promise.resolve();

  constructor(deps: StopOnSignalsDeps) {
    this.#deps = deps;
    this.#host = deps.host ?? process;
  }

  /** @throws ArtError `ART_ROLLOUT_CANCELLED` once a signal has come: nothing new is begun then */
  throwIfStopped(): void {
    if (this.#first !== undefined) throw this.#first.reason;
  }

  /** Listens until the returned function is called, once for each call. */
  hold(): () => void {
    if (this.#holders++ === 0) for (const name of watched) this.#host.on(name, this.#onSignal);
    return () => {
      if (--this.#holders === 0) for (const name of watched) this.#host.off(name, this.#onSignal);
    };
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#first !== undefined) {
      if (this.#deps.nowMs() - this.#first.atMs >= samePressMs) this.#host.exit(this.#first.exitCode);
      return;
    }
    const exitCode = 128 + constants.signals[name];
    const reason = new ArtError({
      code: 'ART_ROLLOUT_CANCELLED',
      message: `The process was ended by ${name}; the sessions are stopped.`,
    });
    this.#first = { reason, exitCode, atMs: this.#deps.nowMs() };
    this.#host.exitCode ??= exitCode;
    this.#host.once('uncaughtException', this.#onUncaught);
    this.#stopped = this.#deps.stop(reason).catch(() => undefined);
  };

  // Our own cancellation that reaches `uncaughtException` is expected: exit without a stack trace.
  readonly #onUncaught = (error: unknown): void => {
    const { reason, exitCode } = this.#first!;
    const isOurs = error === reason || (error instanceof Error && error.cause === reason);
    if (!isOurs && this.#host.listenerCount('uncaughtException') > 0) return;
    if (!isOurs) this.#host.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    void this.#exitOnceStopped(isOurs ? exitCode : 1);
  };

  async #exitOnceStopped(exitCode: number): Promise<void> {
    await this.#stopped;
    this.#host.exit(exitCode);
  }
}
