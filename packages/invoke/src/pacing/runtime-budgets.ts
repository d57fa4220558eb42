import { EventChannel } from '../event-channel.ts';
import type { GrantSource } from './grant-source.ts';
import { KnownSessions } from './known-sessions.ts';
import { LocalGrants } from './local-grants.ts';
import { localPace, lonelyIntervalMs, redisPace, type Pace } from './pace.ts';
import type { BudgetSettings } from './paced-runtime-options.ts';
import type { RuntimeEvent, ThrottledEvent } from '@art/protocol';
import { PacingLane, type LaneGate } from './pacing-lane.ts';
import { QuotaGate } from '../quota/quota-gate.ts';
import type { Admission } from '../quota/quota-state.ts';
import { RedisGrants } from '../redis/redis-grants.ts';
import { RedisShare } from '../redis/redis-share.ts';

const openGate: LaneGate<'open'> = {
  onChange: () => {},
  dueMs: (nowMs) => nowMs,
  admit: () => 'open',
};

/** A call that was refused under a rate limit. */
export interface RefusedCall {
  opensSession: boolean;
  /** When it was sent, monotonic milliseconds. */
  startedMs: number;
  /** How long the service wants to be left alone. */
  retryAfterMs: number | undefined;
}

const alikeShare = 0.8;
const witnessedForMs = 60_000;

/** What all clients of one account and region have to share: two budgets, the quota and which sessions are alive. */
export class RuntimeBudgets {
  readonly settings: BudgetSettings;
  readonly events = new EventChannel<RuntimeEvent>();
  readonly quota = new QuotaGate(this.events);
  readonly sessions = new KnownSessions();
  /** Starts of sessions. */
  readonly newSessions: PacingLane<Admission>;
  /** Calls of any kind, starts included. */
  readonly dataPlane: PacingLane<'open'>;
  readonly #share: RedisShare | undefined;
  /** The last refusal of a call that opened no session, and how many calls of any kind passed within the second before. */
  #otherCallRefused = { passed: Infinity, atMs: -Infinity };

  constructor(settings: BudgetSettings, sharedKey: string) {
    this.settings = settings;
    this.#share = this.#joinShare(sharedKey);
    const paceOf = this.#share === undefined ? localPace : redisPace;
    const sessionPace = paceOf(settings.newSessionsPerSecond);
    this.newSessions = new PacingLane({
      callsPerSecond: settings.newSessionsPerSecond,
      pace: sessionPace,
      grants: this.#grants(
        settings.newSessionsPerSecond,
        sessionPace,
        `{art:pacing:${sharedKey}}:new-sessions`,
      ),
      gate: this.quota,
    });
    const callPace = paceOf(settings.dataPlanePerSecond);
    this.dataPlane = new PacingLane({
      callsPerSecond: settings.dataPlanePerSecond,
      pace: callPace,
      grants: this.#grants(settings.dataPlanePerSecond, callPace, `{art:pacing:${sharedKey}}:data-plane`),
      gate: openGate,
    });
  }

  /**
   * The service refused a call under a rate limit (429): slows down the budget whose limit that was. A new session may have met
   * either limit, and the answer does not tell. It is taken for the one of all calls while as many pass as when another
   * call, which knows no other limit, was refused: then both kinds are seen to share one limit, and share what is learnt.
   */
  refused(call: RefusedCall): Pick<ThrottledEvent, 'budget' | 'callsPerSecond'> {
    const { opensSession, startedMs, retryAfterMs } = call;
    const nowMs = performance.now();
    const passed = this.dataPlane.passedWithinSecond;
    if (!opensSession) this.#otherCallRefused = { passed, atMs: nowMs };
    const witness = this.#otherCallRefused;
    const isAlike = passed >= witness.passed * alikeShare && nowMs - witness.atMs < witnessedForMs;
    const lane = isAlike ? this.dataPlane : this.newSessions;
    lane.refused(startedMs, retryAfterMs);
    return { budget: isAlike ? 'data_plane' : 'new_sessions', callsPerSecond: lane.callsPerSecond };
  }

  close(): void {
    this.newSessions.close();
    this.dataPlane.close();
    this.#share?.close();
  }

  #grants(callsPerSecond: number, pace: Pace, id: string): GrantSource {
    const { intervalMs } = pace;
    const share = this.#share;
    if (share === undefined) return new LocalGrants(intervalMs);
    const ownIntervalMs = lonelyIntervalMs(callsPerSecond, pace, share.processes);
    return new RedisGrants({ share, id, intervalMs, lonelyIntervalMs: ownIntervalMs });
  }

  #joinShare(sharedKey: string): RedisShare | undefined {
    const { redis, newSessionsPerSecond, dataPlanePerSecond } = this.settings;
    if (redis === undefined) return undefined;
    return new RedisShare({
      ...redis,
      sharedKey,
      onChange: (change) => {
        const at = Date.now();
        if (change.kind === 'back') {
          this.events.emit({ type: 'redis_back', atMs: at });
          return;
        }
        this.events.emit({
          type: 'redis_lost',
          atMs: at,
          reason: change.reason,
          newSessionsPerSecond: newSessionsPerSecond / redis.processes,
          dataPlanePerSecond: dataPlanePerSecond / redis.processes,
        });
      },
    });
  }
}
