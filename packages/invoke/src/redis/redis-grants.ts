import type { GrantSource } from '../pacing/grant-source.ts';
import { LocalGrants } from '../pacing/local-grants.ts';
import { createRedisLimiter, type RedisLimiter } from './redis-limiter.ts';
import type { RedisShare } from './redis-share.ts';

export interface RedisGrantsOptions {
  share: RedisShare;
  /** Names the budget; the same for all processes. */
  id: string;
  /** Time between two grants, all processes together. */
  intervalMs: number;
  /** Time between two grants of this process while it is alone. */
  lonelyIntervalMs: number;
}

const stuckAfterMs = 5_000;

// A process that was held up starts late, and so moves its start next to those of the others.
const lateAfterMs = 20;

/** Grants `intervalMs` apart among all processes; while Redis is away, this process's share of them. */
export class RedisGrants implements GrantSource {
  readonly #options: RedisGrantsOptions;
  readonly #own: LocalGrants;
  #limiter: RedisLimiter | undefined;
  #isClosed = false;
  /** Ends the wait for a grant of Redis, if there is one. */
  #endWait: (isGranted: boolean) => void = () => {};

  constructor(options: RedisGrantsOptions) {
    this.#options = options;
    options.share.onLost(() => this.#afterLoss());
    this.#own = new LocalGrants(options.lonelyIntervalMs);
  }

  async next(): Promise<void> {
    const { share } = this.#options;
    let hasOwn = false;
    while (!this.#isClosed) {
      if (share.usesOwnShare && !hasOwn) {
        await this.#own.next();
        hasOwn = true;
      } else if (!share.asksRedis || (await this.#nextShared())) {
        return;
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#endWait(false);
    this.#own.close();
    this.#limiter?.close();
  }

  /** False when Redis was lost meanwhile. */
  async #nextShared(): Promise<boolean> {
    const { share, id, intervalMs } = this.#options;
    this.#limiter ??= createRedisLimiter({
      template: share.template,
      now: () => share.now(),
      id,
      intervalMs,
    });
    const limiter = this.#limiter;
    // Bottleneck never gives up on a Redis that takes commands and does nothing.
    const longestMs = stuckAfterMs + intervalMs * (share.processes + 1);
    return new Promise<boolean>((resolve) => {
      let isWaiting = true;
      const stuck = setTimeout(() => share.reportLost(`no grant within ${longestMs} ms`), longestMs);
      const end = (isGranted: boolean): void => {
        if (!isWaiting) return;
        isWaiting = false;
        clearTimeout(stuck);
        resolve(isGranted);
      };
      this.#endWait = end;
      const schedule = (mayForfeit: boolean): void => {
        limiter
          .schedule(async (lateMs) => {
            // Given up once only: where Redis is far away every grant is late, and late is better than never.
            if (lateMs > lateAfterMs && mayForfeit && isWaiting) schedule(false);
            else end(true);
          })
          .catch((error: unknown) => {
            if (isWaiting) share.reportLost(String(error));
          });
      };
      schedule(true);
    });
  }

  #afterLoss(): void {
    if (this.#isClosed) return;
    this.#limiter?.close();
    this.#limiter = undefined;
    // The own share begins one interval after the last grant. A grant at once would come on top of what Redis granted.
    void this.#own.next();
    this.#endWait(false);
  }
}
