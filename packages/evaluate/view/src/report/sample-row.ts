import type { RolloutOutcomeKind } from '@art/protocol';

/** An attempt of a sample, as the timeline draws it. */
export interface AttemptBar {
  outcome: RolloutOutcomeKind;
  /** Milliseconds since 1970. */
  submittedAtMs: number | null;
  /** Milliseconds since its submission. */
  settledMs: number | null;
  throttled: number;
  /** How often a call was sent again within it. */
  resent: number;
}

/**
 * Members of a sample that table, timeline and comparison need; the rest is fetched when somebody looks at it. Durations are in
 * milliseconds since `submittedAtMs`, null where something is not known.
 */
export interface SampleRow {
  /** Position in its run, which is its address. */
  at: number;
  taskId: string;
  sample: number;
  tags: string[];
  /** Beginning of what the agent was asked. */
  taskText: string | null;
  outcome: RolloutOutcomeKind;
  reward: number | null;
  score: number | null;
  metrics: Record<string, number>;
  submittedAtMs: number | null;
  acceptedMs: number | null;
  storedMs: number | null;
  noticedMs: number | null;
  settledMs: number | null;
  stoppedMs: number | null;
  latencyMs: number | null;
  modelCalls: number | null;
  tokens: number | null;
  cost: number | null;
  attempts: AttemptBar[];
  sessionId: string | null;
  /** First line of what went wrong. */
  problem: string | null;
  /** First line of what the judge said. */
  remark: string | null;
  recordedAtMs: number;
}

/** Rows as columns: names are told once, and equal neighbours compress well. */
export type PackedRows = { [Name in keyof SampleRow]: SampleRow[Name][] };

export function packRows(rows: readonly SampleRow[]): PackedRows {
  const column = <Name extends keyof SampleRow>(name: Name): SampleRow[Name][] =>
    rows.map((row) => row[name]);
  return Object.fromEntries(sampleColumns.map((name) => [name, column(name)])) as unknown as PackedRows;
}

export function unpackRows(packed: PackedRows): SampleRow[] {
  return packed.at.map((_, line) => {
    const row: Record<string, unknown> = {};
    for (const name of sampleColumns) row[name] = packed[name][line];
    return row as unknown as SampleRow;
  });
}

const sampleColumns = [
  'at',
  'taskId',
  'sample',
  'tags',
  'taskText',
  'outcome',
  'reward',
  'score',
  'metrics',
  'submittedAtMs',
  'acceptedMs',
  'storedMs',
  'noticedMs',
  'settledMs',
  'stoppedMs',
  'latencyMs',
  'modelCalls',
  'tokens',
  'cost',
  'attempts',
  'sessionId',
  'problem',
  'remark',
  'recordedAtMs',
] as const satisfies readonly (keyof SampleRow)[];
