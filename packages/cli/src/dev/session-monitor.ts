import { setTimeout as delay } from 'node:timers/promises';
import type { InjectedFault } from '@art/faults';
import type { EndpointLogEntry, LocalSessionInfo } from '@art/local';
import type { DevEventListener } from './dev-event-writer.ts';
import type { LogFollower } from './log-follower.ts';
import { SessionObserver } from './session-observer.ts';

export interface SessionMonitorOptions {
  sessions: () => readonly LocalSessionInfo[];
  /** The faults behind a number. */
  injectedFaults: (afterSeq: number) => readonly InjectedFault[];
  /** What happened at the endpoint behind a number. */
  endpointLog: (afterSeq: number) => readonly EndpointLogEntry[];
  logs: LogFollower;
  emit: DevEventListener;
  onError: (error: unknown) => void;
  /** Pause between two looks. @default 100 */
  intervalMs?: number | undefined;
}

/** Tells of sessions, of what goes wrong with them on purpose, and of what they write, in an order that makes sense to a reader. */
export class SessionMonitor {
  readonly #options: SessionMonitorOptions;
  readonly #observer = new SessionObserver();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #toldFaults = 0;
  #seenEntries = 0;
  /** The last status of each invocation of the sessions that live. */
  readonly #statuses = new Map<string, string>();

  /** Runs from here on. */
  constructor(options: SessionMonitorOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Tells what is still untold and ends. Call it when nothing writes any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const { started, waited, ended } = this.#observer.observe(this.#options.sessions());
    for (const event of started) this.#options.emit(event);
    this.#tellInvocations();
    this.#tellFaults();
    await this.#options.logs.close();
    for (const event of waited) this.#options.emit(event);
    for (const event of ended) this.#options.emit(event);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let lastFailure = '';
    while (!signal.aborted) {
      // A disk that fails for a moment must not end the display for good, nor fill it.
      await this.#look().catch((error: unknown) => {
        if (String(error) !== lastFailure) this.#options.onError(error);
        lastFailure = String(error);
      });
      await delay(this.#options.intervalMs ?? 100, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const sessions = this.#options.sessions();
    const { started, waited, ended } = this.#observer.observe(sessions);
    const live = new Set(sessions.filter(({ state }) => state !== 'ended').map(({ sessionId }) => sessionId));
    for (const event of started) this.#options.emit(event);
    this.#tellInvocations();
    this.#tellFaults();
    await this.#options.logs.poll((sessionId) => live.has(sessionId));
    for (const event of waited) this.#options.emit(event);
    for (const event of ended) this.#options.emit(event);
  }

  #tellInvocations(): void {
    for (const entry of this.#options.endpointLog(this.#seenEntries)) {
      this.#seenEntries = entry.seq;
      if (entry.kind === 'session_ended') this.#forget(entry.sessionId);
      if (entry.kind !== 'invocation') continue;
      const { sessionId, invocationId, status } = entry;
      const place = `${sessionId} ${invocationId}`;
      if (this.#statuses.get(place) === status) continue;
      this.#statuses.set(place, status);
      this.#options.emit({ event: 'invocation', sessionId, invocationId, status });
    }
  }

  #forget(sessionId: string): void {
    for (const place of this.#statuses.keys()) {
      if (place.startsWith(`${sessionId} `)) this.#statuses.delete(place);
    }
  }

  #tellFaults(): void {
    for (const { atMs: _, outcome: __, ...fault } of this.#options.injectedFaults(this.#toldFaults)) {
      this.#toldFaults = fault.seq;
      this.#options.emit({ event: 'fault', ...fault });
    }
  }
}
