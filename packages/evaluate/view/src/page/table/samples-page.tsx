import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { RunHealthReport } from '../../report/run-health.ts';
import type { SampleRow } from '../../report/sample-row.ts';
import type { DataSource } from '../data/data-source.ts';
import type { RunData } from '../data/run-data.ts';
import { outcomeKinds, outcomeName } from '../shell/outcome-label.tsx';
import { replaceRoute } from '../shell/route.ts';
import { formatCount } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { conditions, filterRows, isCondition, saidTerms, termsOf, toggledTerm } from './filter-rows.ts';
import { SampleTable } from './sample-table.tsx';
import { isSortOrder, sortRows, type SortOrder } from './sort-rows.ts';
import { stragglerLimitMs } from './straggler-limit.ts';
import { useSaid } from './use-said.ts';

export interface SamplesPageProps {
  source: DataSource;
  run: number;
  data: RunData;
  health: RunHealthReport | null | undefined;
  query: string;
  sort: string;
  /** Rows in sight and their order, by which the page of a sample steps on. */
  onShown: (rows: readonly SampleRow[]) => void;
  /** Position of the sample that was looked at last. */
  lastAt: number | undefined;
}

/** All samples of a run, with what narrows them down. */
export function SamplesPage({
  source,
  run,
  data,
  health,
  query,
  sort,
  onShown,
  lastAt,
}: SamplesPageProps): JSX.Element {
  const order: SortOrder = isSortOrder(sort) ? sort : '';
  const search = useRef<HTMLInputElement>(null);
  const limitMs = useMemo(() => stragglerLimitMs(data.rows), [data.rows]);
  const sorted = useMemo(() => sortRows(data.rows, order), [data.rows, order]);
  const said = useSaid(source, run, saidTerms(query));
  const findings = useMemo(() => findingsOf(health), [health]);
  const shown = useMemo(
    () => filterRows(sorted, query, limitMs, said.found, findings),
    [sorted, query, limitMs, said.found, findings],
  );
  useLayoutEffect(() => onShown(shown), [shown, onShown]);
  const change = (next: { query?: string; sort?: string }): void =>
    replaceRoute({ page: 'samples', run, query, sort, ...next });
  return (
    <main class="samples-page">
      <h1 class="unseen">Samples</h1>
      <div class="filters">
        <input
          ref={search}
          id="search"
          type="search"
          value={query}
          placeholder="Search: words, score<0.5, tag:x, said:word"
          aria-label="Search and filter samples"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => change({ query: currentTarget.value })}
        />
        <span class="count" role="status">
          {shown.length === data.rows.length
            ? `${formatCount(shown.length)} samples`
            : `${formatCount(shown.length)} of ${formatCount(data.rows.length)} samples`}
          {said.looked !== undefined && `, ${formatCount(said.looked)} transcripts searched so far`}
        </span>
        <Chips
          rows={data.rows}
          query={query}
          limitMs={limitMs}
          findings={findings}
          onToggle={(term) => change({ query: toggledTerm(query, term) })}
        />
      </div>
      {shown.length === 0 ? (
        <p class="empty">
          {data.rows.length === 0 ? 'No sample has ended yet.' : 'No sample is like that. '}
          {query !== '' && (
            <button type="button" class="small" onClick={() => change({ query: '' })}>
              Clear the search
            </button>
          )}
        </p>
      ) : (
        <SampleTable
          run={run}
          rows={shown}
          order={order}
          lastAt={lastAt}
          onSort={(next) => change({ sort: next })}
        />
      )}
    </main>
  );
}

interface ChipsProps {
  rows: readonly SampleRow[];
  query: string;
  limitMs: number | undefined;
  findings: ReadonlyMap<string, ReadonlySet<number>>;
  onToggle: (term: string) => void;
}

const mostTags = 12;

/** One click each for the outcomes, conditions and tags that there are. */
function Chips({ rows, query, limitMs, findings, onToggle }: ChipsProps): JSX.Element {
  const choices = useMemo(
    () => [
      ...choicesOf(rows, limitMs),
      ...[...findings].map(([check, { size }]) => choice('finding', check, size)),
    ],
    [rows, limitMs, findings],
  );
  const chosen = new Set(termsOf(query));
  return (
    <div class="chips" role="group" aria-label="Quick filters">
      {choices.map(({ term, name, count, style }) => (
        <button
          type="button"
          key={term}
          class={`chip ${style}`}
          aria-pressed={chosen.has(term)}
          onClick={() => onToggle(term)}
        >
          {style !== '' && <span class="dot" aria-hidden="true" />}
          <bdi>{oneLine(name)}</bdi> <span class="chip-count">{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}

interface Choice {
  term: string;
  name: string;
  count: number;
  style: string;
}

function choicesOf(rows: readonly SampleRow[], limitMs: number | undefined): Choice[] {
  const outcomes = new Map<string, number>();
  const held = new Map<string, number>();
  const tags = new Map<string, number>();
  for (const row of rows) {
    increase(outcomes, row.outcome);
    for (const tag of row.tags) increase(tags, tag);
    for (const condition of conditions) if (isCondition(row, condition, limitMs)) increase(held, condition);
  }
  return [
    ...outcomeKinds
      .filter((kind) => outcomes.has(kind))
      .map((kind) => choice('outcome', kind, outcomes.get(kind)!, `is-${kind}`, outcomeName(kind))),
    ...conditions
      .filter((condition) => condition !== 'failed' && held.has(condition))
      .map((condition) => choice('is', condition, held.get(condition)!)),
    ...[...tags]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, mostTags)
      .map(([tag, count]) => choice('tag', tag, count)),
  ];
}

function choice(prefix: string, name: string, count: number, style = '', shown = name): Choice {
  return { term: `${prefix}:${name}`, name: shown, count, style };
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Positions of the samples that a finding is about, by its check. */
function findingsOf(health: RunHealthReport | null | undefined): Map<string, Set<number>> {
  return new Map(
    health?.checks.flatMap((check) =>
      check.state === 'finding' && check.samples.length > 0
        ? [[check.check, new Set(check.samples)] as const]
        : [],
    ),
  );
}
