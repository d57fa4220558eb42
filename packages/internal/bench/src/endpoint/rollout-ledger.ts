import {
  buildResultKey,
  completeResultDocument,
  errorDocument,
  formatResultDocument,
  type RolloutTarget,
} from '@art/protocol';
import { planRollouts, type PlannedRollout, type RolloutFate } from '../workload/plan-rollouts.ts';
import { historyKeys } from '../workload/history-keys.ts';
import type { EndpointClock } from './endpoint-clock.ts';
import type { EndpointSettings } from './endpoint-settings.ts';
import { KeyIndex } from './key-index.ts';
import type { RolloutRecord } from './rollout-record.ts';

/** Where the result of a rollout goes, and what asked for it. */
export interface Submission {
  sessionId: string;
  payload: Record<string, unknown>;
  /** Undefined where the result stays in the session. */
  target?: RolloutTarget | undefined;
}

interface Session {
  record: RolloutRecord;
  submission: Submission;
  resultKey: string | undefined;
  plan: PlannedRollout;
  isLive: boolean;
  cancelWork: () => void;
}

/** The agents at work, and the results that they have stored. */
export class RolloutLedger {
  readonly #clock: EndpointClock;
  readonly #startedMs: number;
  readonly #plans: PlannedRollout[];
  readonly #sessions = new Map<string, Session>();
  readonly #stored = new Map<string, Session>();
  readonly keys: KeyIndex;
  #live = 0;
  #peakLive = 0;

  constructor(settings: EndpointSettings, clock: EndpointClock) {
    const { history, seed } = settings;
    this.#clock = clock;
    this.#plans = planRollouts(settings);
    this.keys = new KeyIndex(history === undefined ? [] : historyKeys(history.expId, history.keys, seed));
    this.#startedMs = clock.nowMs();
  }

  get liveSessions(): number {
    return this.#live;
  }

  get peakLiveSessions(): number {
    return this.#peakLive;
  }

  get records(): RolloutRecord[] {
    return Array.from(this.#sessions.values(), ({ record }) => record);
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  /** An invocation has arrived; answers the key that its result will have. */
  open(submission: Submission): string | undefined {
    const { sessionId, payload, target } = submission;
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known.resultKey;
    const given: unknown = payload['n'];
    const index = typeof given === 'number' ? given : this.#sessions.size;
    const plan = this.#plans[index] ?? { durationMs: 0, fate: 'succeeds' as RolloutFate };
    this.#sessions.set(sessionId, {
      record: { index, fate: plan.fate, invokedMs: this.#nowMs() },
      submission,
      resultKey: target && buildResultKey({ ...target, sessionId }),
      plan,
      isLive: true,
      cancelWork: () => undefined,
    });
    this.#live += 1;
    this.#peakLive = Math.max(this.#peakLive, this.#live);
    return this.#sessions.get(sessionId)!.resultKey;
  }

  /** The invocation is being answered: the agent begins. */
  begin(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.record.acceptedMs !== undefined) return;
    session.record.acceptedMs = this.#nowMs();
    if (!session.isLive || session.plan.fate === 'never_ends') return;
    if (session.plan.durationMs <= 0) this.#store(session);
    else session.cancelWork = this.#clock.after(session.plan.durationMs, () => this.#store(session));
  }

  /** A stop has arrived; false when no such session is alive. */
  stop(sessionId: string): boolean {
    const session = this.#sessions.get(sessionId);
    if (session?.isLive !== true) return false;
    session.isLive = false;
    session.cancelWork();
    session.record.stoppedMs = this.#nowMs();
    this.#live -= 1;
    return true;
  }

  /** A read has arrived: the document, and what to call when it is answered. */
  read(key: string): { document: string; onAnswered: () => void } | undefined {
    const session = this.#stored.get(key);
    if (session === undefined) return undefined;
    const { record } = session;
    record.noticedMs ??= this.#nowMs();
    return {
      document: documentOf(session),
      onAnswered: () => {
        record.fetchedMs ??= this.#nowMs();
      },
    };
  }

  /** A question to a session has arrived: whether it has its result, and what to call when it is answered. */
  ask(sessionId: string): { isDone: boolean; onAnswered: () => void } | undefined {
    const session = this.#sessions.get(sessionId);
    if (session?.isLive !== true) return undefined;
    const { record } = session;
    if (record.storedMs === undefined) return { isDone: false, onAnswered: () => undefined };
    record.noticedMs ??= this.#nowMs();
    return {
      isDone: true,
      onAnswered: () => {
        record.fetchedMs ??= this.#nowMs();
      },
    };
  }

  /** Ends all work. */
  close(): void {
    for (const session of this.#sessions.values()) session.cancelWork();
  }

  #store(session: Session): void {
    session.record.storedMs = this.#nowMs();
    if (session.resultKey === undefined) return;
    this.#stored.set(session.resultKey, session);
    this.keys.add(session.resultKey);
  }

  #nowMs(): number {
    return this.#clock.nowMs() - this.#startedMs;
  }
}

function documentOf({ submission, resultKey, plan }: Session): string {
  const { payload, target } = submission;
  if (target === undefined || resultKey === undefined) throw new Error('nothing of it is stored');
  const { inputId, s3Bucket } = target;
  const result = plan.fate === 'fails' ? { ...errorDocument('the tool failed') } : { rewards: 1 };
  return formatResultDocument(completeResultDocument(result, { inputId, s3Bucket, resultKey, payload }));
}
