import type { GroupRow } from '../../report/group-row.ts';
import type { RunInfo, TrainingStep } from '../../report/run-info.ts';
import type { SampleDetail } from '../../report/sample-detail.ts';
import { type PackedRows, unpackRows } from '../../report/sample-row.ts';
import type { DataSource } from './data-source.ts';

/** What the server of the page has read. */
export const servedSource: DataSource = {
  isServed: true,
  runs: () => ask<RunInfo[]>('runs'),
  rows: async (run, from) => unpackRows(await ask<PackedRows>(`runs/${run}/rows?from=${from}`)),
  steps: (run, from) => ask<TrainingStep[]>(`runs/${run}/steps?from=${from}`),
  groups: (run, from) => ask<GroupRow[]>(`runs/${run}/groups?from=${from}`),
  detail: (run, at) => ask<SampleDetail>(`runs/${run}/samples/${at}`),
};

async function ask<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`/${path}`);
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as Answer;
}
