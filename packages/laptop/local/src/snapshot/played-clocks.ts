import type { SnapshotRecord } from './snapshot-record.ts';

/**
 * Lets the wall clock be behind until the restore, when it jumps to the right time. The monotonic clock continues as if nothing had been,
 * so it is left alone, and only watched.
 */
export function playClocks(record: SnapshotRecord, movedMs: number): () => void {
  let behindMs = movedMs;
  const RealDate = Date;
  const realNow = RealDate.now.bind(RealDate);
  const now = (): number => {
    const nowMs = realNow() - behindMs;
    record.note({ kind: 'wall-clock', value: nowMs }, { byAgent: true });
    return nowMs;
  };
  RealDate.now = now;
  const played: DateConstructor = new Proxy(RealDate, {
    construct: (target, given, made) =>
      Reflect.construct(
        target,
        given.length === 0 ? [now()] : given,
        made === played ? target : made,
      ) as object,
    apply: () => new RealDate(now()).toString(),
  });
  Object.defineProperty(RealDate.prototype, 'constructor', {
    value: played,
    writable: true,
    configurable: true,
  });
  globalThis.Date = played;
  if (record.isWanted) watchMonotonicClock(record);
  return () => {
    behindMs = 0;
  };
}

function watchMonotonicClock(record: SnapshotRecord): void {
  const noted = (nowMs: number): void =>
    record.note({ kind: 'monotonic-clock', value: nowMs }, { byAgent: true });
  const msOf = performance.now.bind(performance);
  Object.defineProperty(performance, 'now', {
    configurable: true,
    writable: true,
    value: () => {
      const nowMs = msOf();
      noted(nowMs);
      return nowMs;
    },
  });
  const { hrtime } = process;
  const uptime = process.uptime.bind(process);
  const watched = (since?: [number, number]): [number, number] => {
    noted(msOf());
    return hrtime(since);
  };
  process.hrtime = Object.assign(watched, {
    bigint: () => {
      noted(msOf());
      return hrtime.bigint();
    },
  });
  process.uptime = () => {
    const seconds = uptime();
    noted(seconds * 1_000);
    return seconds;
  };
}
