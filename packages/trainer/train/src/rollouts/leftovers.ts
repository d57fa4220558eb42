import { basename, join, resolve } from 'node:path';
import { ArtError, type Clock, growingPauseMs, pause, retryPatiently, systemClock } from '@art/ground';
import { type AgentRuntime, type CallOptions, RuntimeError, type StopOutcome } from '@art/protocol';
import { stopRun, type StopRunReport } from '@art/rollout';
import { DurableLines } from '../files/durable-lines.ts';
import type { TrainSettings } from '../run/train-options.ts';

/** A request of a process that was killed can still be on its way, and begin a session that nobody knew when it was asked for. */
const askedAgainAfterMs = [3_000, 10_000, 30_000];
const tries = 6;
const pauses = { firstMs: 250, longestMs: 4_000, jitter: 1 };

/** A session that was not there when it was to be stopped. */
interface UnknownSession {
  sessionId: string;
}

type LeftoversSettings = Pick<
  TrainSettings,
  'rolloutJournal' | 'directory' | 'onNotice' | 'clock' | 'signal'
>;

/** The sessions that rollouts left running: stopped when a run begins, while requests of dead processes can arrive, and when it ends. */
export class Leftovers {
  readonly #settings: LeftoversSettings;
  readonly #clock: Clock;
  readonly #file: DurableLines<UnknownSession>;
  readonly #name: string;
  readonly #ended = new AbortController();
  #unknown: Set<string>;
  #asking: Promise<void> = Promise.resolve();

  private constructor(settings: LeftoversSettings) {
    const directory = resolve(settings.directory);
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#file = new DurableLines(join(directory, 'leftovers.jsonl'));
    this.#name = runName(directory);
    this.#unknown = new Set(this.#file.all().map(({ sessionId }) => sessionId));
  }

  /** Stops what is known, and begins to ask for the rest. @param settings of a run whose folder is there */
  static async stop(settings: LeftoversSettings): Promise<Leftovers> {
    const leftovers = new Leftovers(settings);
    await leftovers.#stopKnown();
    leftovers.#asking = leftovers.#askAgain();
    return leftovers;
  }

  /**
   * Stops what the rollouts of this process left, and waits until no request of an earlier one can arrive any more; not where the run was
   * broken off.
   */
  async close(): Promise<void> {
    const { signal } = this.#settings;
    if (signal?.aborted === true) this.#ended.abort();
    else signal?.addEventListener('abort', () => this.#ended.abort(), { once: true });
    await this.#asking;
    await this.#stopKnown();
    await this.#ask();
  }

  async #stopKnown(): Promise<void> {
    const { rolloutJournal, onNotice } = this.#settings;
    if (rolloutJournal === undefined) return;
    const { journal, runtime } = rolloutJournal;
    for (const runId of await journal.list()) {
      if (!runId.startsWith(this.#name) || !/^\d+$/.test(runId.slice(this.#name.length))) continue;
      let report: StopRunReport;
      try {
        report = await stopRun(journal, runId, {
          runtime: new PatientStops(runtime, this.#clock),
          onWarning: onNotice,
          onStopped: ({ sessionId }, result) => {
            if (result === 'not_found') this.#unknown.add(sessionId);
          },
        });
      } catch (error) {
        // Another folder can have the same name: what a living process holds is no leftover.
        if (ArtError.isInstance(error) && error.code === 'ART_JOURNAL_LOCKED') continue;
        throw error;
      }
      // Written down before the journal forgets them.
      this.#note();
      if (report.failed === 0) await journal.remove(runId);
    }
  }

  async #askAgain(): Promise<void> {
    if (this.#unknown.size === 0) return;
    const beganMs = this.#clock.nowMs();
    for (const afterMs of askedAgainAfterMs) {
      const leftMs = beganMs + afterMs - this.#clock.nowMs();
      try {
        await pause(leftMs, { signal: this.#ended.signal, clock: this.#clock });
      } catch {
        return;
      }
      await this.#ask();
      if (this.#unknown.size === 0) return;
    }
    this.#unknown.clear();
    this.#note();
  }

  /** Asks for each session once. Never rejects: what cannot be stopped now is asked for later. */
  async #ask(): Promise<void> {
    const { rolloutJournal, onNotice } = this.#settings;
    if (rolloutJournal === undefined || this.#unknown.size === 0) return;
    const stops = new PatientStops(rolloutJournal.runtime, this.#clock);
    for (const sessionId of this.#unknown) {
      try {
        const { kind } = await stops.stop(sessionId);
        if (kind === 'stopped') this.#unknown.delete(sessionId);
      } catch (error) {
        onNotice(`Session ${sessionId} could not be stopped: ${(error as Error).message}`);
      }
    }
    this.#note();
  }

  #note(): void {
    this.#file.replace(Array.from(this.#unknown, (sessionId) => ({ sessionId })));
  }
}

/** Name of a run's rollouts in its journal: that of its folder, and when they were begun. */
export function rolloutsRunId(directory: string, openedAtMs: number): string {
  return `${runName(directory)}${openedAtMs}`;
}

function runName(directory: string): string {
  return `train-${basename(resolve(directory))}-`;
}

/** Stops sessions, and tries again where a connection broke or the service was overloaded. */
class PatientStops implements AgentRuntime {
  readonly #runtime: AgentRuntime;
  readonly #clock: Clock;

  constructor(runtime: AgentRuntime, clock: Clock) {
    this.#runtime = runtime;
    this.#clock = clock;
  }

  invoke: AgentRuntime['invoke'] = (request, options) => this.#runtime.invoke(request, options);

  stop(sessionId: string, options?: CallOptions): Promise<StopOutcome> {
    return retryPatiently(() => this.#runtime.stop(sessionId, options), {
      isRetryable: isOutage,
      pauseMs: (failures) => growingPauseMs(failures, pauses),
      tries,
      signal: options?.signal,
      clock: this.#clock,
    });
  }
}

function isOutage(error: unknown): boolean {
  if (RuntimeError.isInstance(error)) {
    const { httpStatus } = error;
    return httpStatus === undefined || httpStatus === 429 || httpStatus >= 500;
  }
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some(
    (name) => name === 'ECONNRESET' || name === 'ECONNREFUSED' || name === 'EPIPE',
  );
}
