import type { RolloutEvent } from '@art/rollout';
import type { AttemptRecord } from '../records/sample-record.ts';
import type { LiveSample } from '../records/status-record.ts';
import type { Task } from '../tasks/task.ts';
import { errorRecord } from './error-record.ts';

/** A sample under way: what its events tell, attempt by attempt. */
export class SampleLife {
  readonly task: Task;
  readonly sample: number;
  readonly attempts: AttemptRecord[] = [];
  readonly #stopped = Promise.withResolvers<void>();
  #live: LiveSample | undefined;
  #stoppedAtMs: number | undefined;

  constructor(task: Task, sample: number) {
    this.task = task;
    this.sample = sample;
  }

  /** Undefined before it was submitted, and between two attempts. */
  get live(): LiveSample | undefined {
    return this.#live;
  }

  /** Milliseconds since 1970. */
  get stoppedAtMs(): number | undefined {
    return this.#stoppedAtMs;
  }

  /** When the session of the last attempt had been stopped. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  add(event: Extract<RolloutEvent, { index: number }>): void {
    const { atMs, sessionId } = event;
    const attempt = this.attempts.at(-1);
    switch (event.type) {
      case 'submitted':
      case 'adopted':
        this.#begin(sessionId, atMs);
        break;
      case 'accepted':
        if (this.#live?.sessionId === sessionId) this.#live.acceptedMs = atMs - this.#live.submittedAtMs;
        break;
      case 'noticed':
        if (this.#live?.sessionId === sessionId) this.#live.noticedMs = atMs - this.#live.submittedAtMs;
        break;
      case 'settled':
        if (attempt?.sessionId !== sessionId) break;
        attempt.outcome = event.outcome.kind;
        attempt.settledMs = atMs - (attempt.submittedAtMs ?? atMs);
        attempt.error =
          event.outcome.kind === 'ok' ? null : { ...errorRecord(event.outcome.error), stack: null };
        this.#live = undefined;
        break;
      case 'session_stopped':
        if (attempt?.sessionId !== sessionId) break;
        this.#stoppedAtMs = atMs;
        this.#stopped.resolve();
    }
  }

  throttled(): void {
    const attempt = this.attempts.at(-1);
    if (attempt !== undefined) attempt.throttled += 1;
  }

  retried(): void {
    const attempt = this.attempts.at(-1);
    if (attempt !== undefined) attempt.retries += 1;
  }

  #begin(sessionId: string, atMs: number): void {
    const attempt = this.attempts.length;
    this.#stoppedAtMs = undefined;
    this.attempts.push({
      attempt,
      outcome: 'cancelled',
      sessionId,
      submittedAtMs: atMs,
      settledMs: null,
      throttled: 0,
      retries: 0,
      error: null,
    });
    this.#live = {
      taskId: this.task.id,
      sample: this.sample,
      attempt,
      sessionId,
      submittedAtMs: atMs,
      acceptedMs: null,
      noticedMs: null,
    };
  }
}
