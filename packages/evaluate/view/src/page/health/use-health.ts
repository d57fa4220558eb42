import { useEffect, useState } from 'preact/hooks';
import type { RunHealthReport } from '../../report/run-health.ts';
import type { RunInfo } from '../../report/run-info.ts';
import type { DataSource } from '../data/data-source.ts';

/** Each look reads the whole run: the longer one takes, the longer the pause behind it. */
const leastPauseMs = 5_000;
const pausePerLook = 10;

/** Undefined while it is being looked at; null where the run keeps no rollouts, or where it could not be read. */
export function useHealth(
  source: DataSource,
  run: number,
  info: RunInfo | undefined,
): RunHealthReport | null | undefined {
  const [report, setReport] = useState<RunHealthReport | null>();
  const isLive = info?.isLive;
  useEffect(() => {
    if (isLive === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ended = new AbortController();
    const look = async (): Promise<void> => {
      const startMs = performance.now();
      const found = await source.health(run).catch(() => null);
      if (ended.signal.aborted) return;
      setReport(found);
      const pauseMs = Math.max(leastPauseMs, pausePerLook * (performance.now() - startMs));
      if (isLive) timer = setTimeout(() => void look(), pauseMs);
    };
    void look();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [source, run, isLive]);
  return report;
}
