import { useEffect, useState } from 'preact/hooks';
import type { RunInfo } from '../../report/run-info.ts';
import type { SampleRow } from '../../report/sample-row.ts';
import type { DataSource } from './data-source.ts';
import type { RunData } from './run-data.ts';

const liveIntervalMs = 1_000;
/** While there is more to be had than one answer brings. */
const busyIntervalMs = 250;
/** While nothing continues: a run may be resumed, and one of a machine that slept only looks dead. */
const restIntervalMs = 5_000;

export interface RunsState {
  /** Undefined until the first answer. */
  runs: readonly RunData[] | undefined;
  /** Why nothing new comes; null while all is well. */
  trouble: string | null;
}

/** All runs of a source, followed as long as the page is open; those of a file do not change. */
export function useRuns(source: DataSource): RunsState {
  const [state, setState] = useState<RunsState>({ runs: undefined, trouble: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ended = new AbortController();
    let known: readonly RunData[] = [];
    const show = (runs: readonly RunData[]): void => {
      known = runs;
      if (!ended.signal.aborted) setState({ runs, trouble: null });
    };
    const look = async (): Promise<void> => {
      let intervalMs = liveIntervalMs;
      const before = receivedBy(known);
      try {
        const infos = await source.runs();
        known = infos.map((info, number) => ({ ...(known[number] ?? nothing), info }));
        for (let number = 0; number < known.length; number += 1) {
          while (!ended.signal.aborted && known[number]!.received < known[number]!.info.read) {
            const fuller = await receive(source, number, known[number]!);
            show(known.with(number, fuller));
          }
        }
        show(known);
        if (!infos.some(({ isLive }) => isLive)) intervalMs = restIntervalMs;
      } catch (error) {
        if (!ended.signal.aborted)
          setState({ runs: known.length > 0 ? known : undefined, trouble: messageOf(error) });
      }
      if (receivedBy(known) > before) intervalMs = busyIntervalMs;
      if (source.isServed && !ended.signal.aborted) timer = setTimeout(() => void look(), intervalMs);
    };
    void look();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [source]);
  return state;
}

function receivedBy(runs: readonly RunData[]): number {
  return runs.reduce((sum, { received }) => sum + received, 0);
}

const nothing: Omit<RunData, 'info'> = { rows: [], steps: [], groups: [], received: 0 };

async function receive(source: DataSource, number: number, data: RunData): Promise<RunData> {
  if (data.info.kind === 'training') {
    const steps = await source.steps(number, data.received);
    return { ...data, steps: data.steps.concat(steps), received: grown(data, steps.length) };
  }
  if (data.info.kind === 'groups') {
    const groups = await source.groups(number, data.received);
    return { ...data, groups: data.groups.concat(groups), received: grown(data, groups.length) };
  }
  const rows = await source.rows(number, data.received);
  return { ...data, rows: placed(data.rows, rows), received: grown(data, rows.length) };
}

// A source that has nothing more ends the asking, whatever it has announced.
function grown({ received, info }: { received: number; info: RunInfo }, by: number): number {
  return by === 0 ? info.read : received + by;
}

function placed(rows: readonly SampleRow[], later: readonly SampleRow[]): readonly SampleRow[] {
  const all = rows.slice();
  for (const row of later) all[row.at] = row;
  return all;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === 'Failed to fetch'
    ? '"art view" does not answer any more. What you see is what it told last.'
    : message;
}
