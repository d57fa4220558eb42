import type { Annotation } from '@art/eval/records';
import type { GroupRow } from '../../report/group-row.ts';
import type { RunHealthReport } from '../../report/run-health.ts';
import type { RunInfo, ShownTrainingStep } from '../../report/run-info.ts';
import type { Said } from '../../report/said.ts';
import type { SampleDetail } from '../../report/sample-detail.ts';
import { type PackedRows, unpackRows } from '../../report/sample-row.ts';
import type { DataSource } from './data-source.ts';

/** Source of the data that the page's server has read. */
export const servedSource: DataSource = {
  isServed: true,
  runs: () => ask<RunInfo[]>('runs'),
  rows: async (run, from) => unpackRows(await ask<PackedRows>(`runs/${run}/rows?from=${from}`)),
  steps: (run, from) => ask<ShownTrainingStep[]>(`runs/${run}/steps?from=${from}`),
  groups: (run, from) => ask<GroupRow[]>(`runs/${run}/groups?from=${from}`),
  health: (run) => ask<RunHealthReport | null>(`runs/${run}/health`),
  detail: (run, at) => ask<SampleDetail>(`runs/${run}/samples/${at}`),
  annotate: (run, given) =>
    ask<Annotation>(`runs/${run}/annotations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(given),
    }),
  said: (run, text, from, signal) =>
    ask<Said>(`runs/${run}/said?${new URLSearchParams({ text, from: String(from) }).toString()}`, { signal }),
};

async function ask<Answer>(path: string, request: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`/${path}`, request);
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as Answer;
}
