import { type Clock, systemClock, describeValue, refuseOption } from '@art/ground';
import { type RuntimeEvent } from '@art/protocol';
import { EventChannel } from '../event-channel.ts';
import { KnownSessions } from './known-sessions.ts';
import { LocalGrants } from './local-grants.ts';
import { paceOf } from './grant-source.ts';
import type { BudgetSettings } from './paced-runtime-options.ts';
import { PacingLane } from './pacing-lane.ts';
import { QuotaGate } from '../quota/quota-gate.ts';
import type { JoinedRateShare, RateShareChange } from './rate-share.ts';

/** A call that was sent. */
export interface BudgetedCall {
  operation: 'invoke' | 'stop';
  sessionId: string;
  opensSession: boolean;
  /** Monotonic milliseconds. */
  startedMs: number;
}

// A bottleneck job costs two `setTimeout(0)` in series, so one limiter starts no more than about 430 jobs a second, whatever
// rate it is given. One job therefore stands for all calls of about 10 ms: 100 jobs a second carry any rate, and a session
// budget of 25 per second still gets its own job for each call.
const localGrantMs = 10;

const alikeShare = 0.8;
const witnessedForMs = 60_000;

/** Shared by all clients of one account and region: two budgets, the quota, and which sessions are alive. */
export class RuntimeBudgets {
  readonly settings: BudgetSettings;
  readonly events = new EventChannel<RuntimeEvent>();
  readonly quota: QuotaGate;
  readonly sessions: KnownSessions;
  /** Starts of sessions. */
  readonly newSessions: PacingLane;
  /** Calls of any kind, starts included. */
  readonly dataPlane: PacingLane;
  readonly #share: JoinedRateShare | undefined;
  readonly #clock: Clock;
  /** The last refusal of a call that opened no session, and how many calls of any kind passed within the second before. */
  #otherCallRefused = { passed: Infinity, atMs: -Infinity };

  constructor(settings: BudgetSettings, sharedKey: string, clock: Clock = systemClock) {
    this.settings = settings;
    this.#clock = clock;
    this.quota = new QuotaGate(this.events, clock);
    this.sessions = new KnownSessions(clock);
    this.#share = settings.share?.join(sharedKey, (change) => this.#tellShareChange(change));
    this.newSessions = this.#lane('new-sessions', settings.newSessionsPerSecond, this.quota);
    this.dataPlane = this.#lane('data-plane', settings.dataPlanePerSecond);
  }

  /**
   * The service refused a call under a rate limit (429): slows down the budget whose limit that was. A new session may have met
   * either limit, and the answer does not tell. It is taken for the one of all calls while as many pass as when another
   * call, which knows no other limit, was refused: then both kinds are seen to share one limit, and share what is learnt.
   * @param retryAfterMs how long the service wants to be left alone
   */
  refused(call: BudgetedCall, retryAfterMs: number | undefined): void {
    const { operation, sessionId, opensSession, startedMs } = call;
    const nowMs = this.#clock.nowMs();
    const passed = this.dataPlane.passedWithinSecond;
    if (!opensSession) this.#otherCallRefused = { passed, atMs: nowMs };
    const witness = this.#otherCallRefused;
    const isAlike = passed >= witness.passed * alikeShare && nowMs - witness.atMs < witnessedForMs;
    const lane = isAlike ? this.dataPlane : this.newSessions;
    lane.refused(startedMs, retryAfterMs);
    this.events.emit({
      type: 'throttled',
      atMs: this.#clock.epochMs(),
      operation,
      sessionId,
      budget: isAlike ? 'data_plane' : 'new_sessions',
      callsPerSecond: lane.callsPerSecond,
    });
  }

  close(): void {
    this.newSessions.close();
    this.dataPlane.close();
    this.#share?.close();
  }

  #lane(budget: 'new-sessions' | 'data-plane', callsPerSecond: number, gate?: QuotaGate): PacingLane {
    const clock = this.#clock;
    const grants =
      this.#share?.grants(budget, callsPerSecond) ??
      new LocalGrants(paceOf(callsPerSecond, localGrantMs), clock);
    return new PacingLane({ callsPerSecond, grants, gate, clock });
  }

  #tellShareChange(change: RateShareChange): void {
    const atMs = this.#clock.epochMs();
    const { newSessionsPerSecond, dataPlanePerSecond, share } = this.settings;
    const processes = share?.processes ?? 1;
    if (change.kind === 'back') this.events.emit({ type: 'redis_back', atMs });
    else {
      this.events.emit({
        type: 'redis_lost',
        atMs,
        reason: change.reason,
        newSessionsPerSecond: newSessionsPerSecond / processes,
        dataPlanePerSecond: dataPlanePerSecond / processes,
      });
    }
  }
}

/** Budgets in use, and the way to give them back. */
export interface BudgetLease {
  readonly budgets: RuntimeBudgets;
  /** To be called once. The last one frees the budgets. */
  release(): void;
}

// One table per process: quotas hold per account, so two clients that do not know of each other still share one.
const inUse = new Map<string, { budgets: RuntimeBudgets; leases: number }>();

/**
 * The budgets of a key, created by the first who asks. Without a key they are private.
 * @throws ArtError `ART_INVALID_OPTION` when the key is in use with other settings
 */
export function leaseBudgets(sharedKey: string | undefined, settings: BudgetSettings): BudgetLease {
  if (sharedKey === undefined) {
    const budgets = new RuntimeBudgets(settings, '');
    return { budgets, release: () => budgets.close() };
  }
  const entry = inUse.get(sharedKey) ?? { budgets: new RuntimeBudgets(settings, sharedKey), leases: 0 };
  checkAgreement(sharedKey, entry.budgets.settings, settings);
  inUse.set(sharedKey, entry);
  entry.leases += 1;
  return {
    budgets: entry.budgets,
    release: () => {
      entry.leases -= 1;
      if (entry.leases > 0) return;
      inUse.delete(sharedKey);
      entry.budgets.close();
    },
  };
}

function checkAgreement(sharedKey: string, used: BudgetSettings, asked: BudgetSettings): void {
  const pairs: [string, unknown, unknown][] = [
    ['newSessionsPerSecond', used.newSessionsPerSecond, asked.newSessionsPerSecond],
    ['dataPlanePerSecond', used.dataPlanePerSecond, asked.dataPlanePerSecond],
    ['share', used.share, asked.share],
  ];
  for (const [name, usedValue, askedValue] of pairs) {
    if (Object.is(usedValue, askedValue)) continue;
    refuseOption(
      name,
      `the same as for the other clients of \`sharedKey\` "${sharedKey}" in this process, ${describeValue(usedValue)}`,
      askedValue,
      { advice: 'Use the same value, close the others first, or choose another key.' },
    );
  }
}
