import { EventChannel } from '../event-channel.ts';
import type { GrantSource } from './grant-source.ts';
import { KnownSessions } from './known-sessions.ts';
import { LocalGrants } from './local-grants.ts';
import { localPace, lonelyIntervalMs, redisPace, type Pace } from './pace.ts';
import type { BudgetSettings } from './paced-runtime-options.ts';
import type { RuntimeEvent } from '@art/protocol';
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

  constructor(settings: BudgetSettings, sharedKey: string) {
    this.settings = settings;
    this.#share = this.#joinShare(sharedKey);
    const paceOf = this.#share === undefined ? localPace : redisPace;
    const sessionPace = paceOf(settings.newSessionsPerSecond);
    this.newSessions = new PacingLane({
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
      pace: callPace,
      grants: this.#grants(settings.dataPlanePerSecond, callPace, `{art:pacing:${sharedKey}}:data-plane`),
      gate: openGate,
    });
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
