import { type Clock, pause, systemClock } from '@art/ground';
import { LocalGrants } from '../pacing/local-grants.ts';
import { paceOf, type GrantSource, type Pace } from '../pacing/grant-source.ts';
import { ownPace } from './own-pace.ts';
import type { RedisMembership } from './redis-membership.ts';

// Every grant is a question to Redis, and all processes together share the answers.
const grantMs = 20;

// A process that was held up starts late, and so moves its start next to those of the others.
const lateAfterMs = 20;

const longestDelayMs = 5_000;

/**
 * Books the next start (GCRA, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm): the key holds when the one after is
 * due, in microseconds of Redis' own clock. A start further ahead than the processes can have booked comes from a clock that
 * was set back since.
 */
const bookScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local due = tonumber(redis.call('GET', KEYS[1]) or 0)
if due < now or due - now > ARGV[2] * 1000 then due = now end
redis.call('SET', KEYS[1], string.format('%.0f', due + ARGV[1]), 'PX', ARGV[2])
return due - now`;

/**
 * Grants evenly apart among all processes; while Redis is away, this process's share of them. One start is booked at a time, so
 * a process that is killed wastes one at most.
 */
export class RedisGrants implements GrantSource {
  readonly pace: Pace;
  readonly #members: RedisMembership;
  readonly #budget: string;
  readonly #own: LocalGrants;
  readonly #clock: Clock;
  readonly #bookArgs: string[];

  constructor(members: RedisMembership, budget: string, callsPerSecond: number, clock: Clock = systemClock) {
    this.#members = members;
    this.#budget = budget;
    this.#clock = clock;
    this.pace = paceOf(callsPerSecond, grantMs);
    this.#own = new LocalGrants(ownPace(callsPerSecond, this.pace, members.processes), clock);
    const { intervalMs } = this.pace;
    const longestBookingMs = longestDelayMs + intervalMs * (members.processes + 1);
    this.#bookArgs = [String(Math.ceil(intervalMs * 1_000)), String(Math.ceil(longestBookingMs))];
  }

  async next(): Promise<void> {
    const members = this.#members;
    let hasOwn = false;
    while (!members.closed.aborted) {
      if (members.usesOwnShare && !hasOwn) {
        await this.#nextOwn();
        hasOwn = true;
      } else if (!members.asksRedis || (await this.#nextShared())) {
        return;
      }
    }
  }

  close(): void {
    this.#own.close();
  }

  async #nextOwn(): Promise<void> {
    const { lostAtMs, closed } = this.#members;
    // A grant at once would come on top of what Redis granted.
    const waitMs = lostAtMs + this.#own.pace.intervalMs - this.#clock.nowMs();
    await pause(waitMs, { signal: closed, clock: this.#clock }).catch(() => {});
    await this.#own.next();
  }

  /** False when Redis was lost meanwhile. */
  async #nextShared(): Promise<boolean> {
    const members = this.#members;
    const clock = this.#clock;
    try {
      // Given up once only: where Redis is far away every grant is late, and late is better than never.
      for (let mayForfeit = true; ; mayForfeit = false) {
        const askedMs = clock.nowMs();
        const waitUs = await members.eval(bookScript, this.#budget, this.#bookArgs, members.lost);
        const dueMs = (askedMs + clock.nowMs()) / 2 + Number(waitUs) / 1_000;
        await pause(dueMs - clock.nowMs(), { signal: members.lost, clock });
        if (!mayForfeit || clock.nowMs() - dueMs <= lateAfterMs) return true;
      }
    } catch (error) {
      members.reportLost(error);
      return false;
    }
  }
}
