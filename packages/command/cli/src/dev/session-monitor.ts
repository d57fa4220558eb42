import { setTimeout as delay } from 'node:timers/promises';
import type { FaultInjection } from '@art/local/faults';
import type { EndpointLogEntry, LocalRuntime } from '@art/local';
import type { Tell } from '../terminal/event-writer.ts';
import type { DevEvent } from './dev-event.ts';
import type { LogFollower } from './log-follower.ts';

/** Pause between two looks. */
const intervalMs = 100;

export interface SessionMonitorOptions {
  runtime: Pick<LocalRuntime, 'sessions' | 'endpointLog'>;
  /** Faults that happen on purpose. */
  faults: Pick<FaultInjection, 'injected'> | undefined;
  logs: LogFollower;
  emit: Tell<DevEvent>;
  onError: (error: unknown) => void;
}

/** Tells of sessions, of what goes wrong with them on purpose, and of what they write, in an order that makes sense to a reader. */
export class SessionMonitor {
  readonly #options: SessionMonitorOptions;
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
    await this.#look(() => this.#options.logs.close());
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { logs, onError } = this.#options;
    let lastFailure = '';
    while (!signal.aborted) {
      // A disk that fails for a moment must not end the display for good, nor fill it.
      await this.#look((isLive) => logs.poll(isLive)).catch((error: unknown) => {
        if (String(error) !== lastFailure) onError(error);
        lastFailure = String(error);
      });
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(readLogs: (isLive: (sessionId: string) => boolean) => Promise<void>): Promise<void> {
    const { runtime, emit } = this.#options;
    const live = new Set(
      runtime.sessions().flatMap(({ state, sessionId }) => (state === 'ended' ? [] : [sessionId])),
    );
    const behindLogs = runtime.endpointLog(this.#seenEntries).flatMap((entry) => this.#told(entry));
    this.#tellFaults();
    await readLogs((sessionId) => live.has(sessionId));
    behindLogs.forEach(emit);
  }

  /** @returns what is told after the lines that the session wrote before it */
  #told(entry: EndpointLogEntry): DevEvent[] {
    const { emit } = this.#options;
    this.#seenEntries = entry.seq;
    switch (entry.kind) {
      case 'session_ready': {
        const { sessionId, pid, startMs, warm } = entry;
        emit({ event: 'session_started', sessionId, pid, startMs, warm });
        return [];
      }
      case 'invocation': {
        const { sessionId, invocationId, status } = entry;
        const place = `${sessionId} ${invocationId}`;
        if (this.#statuses.get(place) !== status)
          emit({ event: 'invocation', sessionId, invocationId, status });
        this.#statuses.set(place, status);
        return [];
      }
      case 'ping_waited':
        return [{ event: 'ping_waited', sessionId: entry.sessionId, waitedMs: entry.waitedMs }];
      case 'session_ended': {
        const { sessionId, reason, exit } = entry;
        this.#forget(sessionId);
        return [{ event: 'session_ended', sessionId, reason, exit }];
      }
      default:
        return [];
    }
  }

  #forget(sessionId: string): void {
    for (const place of this.#statuses.keys()) {
      if (place.startsWith(`${sessionId} `)) this.#statuses.delete(place);
    }
  }

  #tellFaults(): void {
    const { faults, emit } = this.#options;
    for (const { atMs: _, outcome: __, ...fault } of faults?.injected(this.#toldFaults) ?? []) {
      this.#toldFaults = fault.seq;
      emit({ event: 'fault', ...fault });
    }
  }
}
