import type { RunRecord } from '@art/eval/records';
import { doubtsOfPair, type JudgedRun } from '@art/eval/statistics';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { SampleRow } from '../../report/sample-row.ts';
import type { RunData } from '../data/run-data.ts';
import { readRunResults } from '../run/run-results.ts';
import type { Summary } from '../run/task-summaries.ts';
import { OutcomeLabel } from '../shell/outcome-label.tsx';
import { goTo, hrefOf } from '../shell/route.ts';
import { useNarrow } from '../table/use-narrow.ts';
import { VirtualRows } from '../scroll/virtual-rows.tsx';
import { formatCount, formatDifference, formatScore } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { comparedRuns } from './compared-runs.ts';
import { type Change, changes, pairTasks, type TaskPair } from './pair-tasks.ts';

export interface ComparePageProps {
  runs: readonly RunData[];
  /** Positions of runs. */
  before: number;
  after: number;
}

const changeNames: Record<Change, string> = {
  worse: 'worse',
  better: 'better',
  same: 'the same',
  'one-sided': 'in one run only',
};

/** Two runs side by side, task by task, the largest differences first. */
export function ComparePage({ runs, before, after }: ComparePageProps): JSX.Element {
  const [first, second] = [runs[before], runs[after]];
  const [was, is] = [runOf(first), runOf(second)];
  const pairs = useMemo(
    () => pairTasks({ rows: first?.rows ?? [], run: was }, { rows: second?.rows ?? [], run: is }),
    [first?.rows, second?.rows, was, is],
  );
  const figures = useMemo(() => comparedRuns(pairs), [pairs]);
  const doubts = useMemo(() => {
    if (was === null || is === null) return [];
    return doubtsOfPair(judgedRun('baseline', was, first!.rows), judgedRun('candidate', is, second!.rows));
  }, [first?.rows, second?.rows, was, is]);
  const [chosen, setChosen] = useState<Change>();
  const [open, setOpen] = useState<string>();
  const isNarrow = useNarrow();
  const shown = chosen === undefined ? pairs : pairs.filter(({ change }) => change === chosen);
  const pair = pairs.find(({ name }) => name === open);
  if (first === undefined || second === undefined) {
    return (
      <main>
        <p class="empty">Name two runs to compare them: art view BEFORE AFTER.</p>
      </main>
    );
  }
  return (
    <main class="compare-page">
      <h1 class="unseen">Compare</h1>
      <div class="compare-head">
        <RunChoice
          name="Before"
          runs={runs}
          value={before}
          onChange={(run) => goTo({ page: 'compare', before: run, after })}
        />
        <RunChoice
          name="After"
          runs={runs}
          value={after}
          onChange={(run) => goTo({ page: 'compare', before, after: run })}
        />
      </div>
      {[first, second].map(({ info }, side) => {
        const doubt = doubtOf(info);
        return (
          doubt !== undefined && (
            <p class="trouble" key={side}>
              <bdi>{oneLine(info.title)}</bdi>: {doubt}
            </p>
          )
        );
      })}
      {doubts.map(({ kind, message }) => (
        <p class="trouble" key={kind}>
          {oneLine(message)}
        </p>
      ))}
      <dl class="figures">
        {figures.map(({ name, before: was, after: is, difference, note, power }) => (
          <div key={name}>
            <dt>{oneLine(name)}, mean of tasks</dt>
            <dd>
              <span class="value">
                {was} → {is}, {difference}
              </span>{' '}
              <span class="note">{note}</span>
              {power !== undefined && (
                <>
                  {'; '}
                  <span class="note">{power}</span>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div class="chips" role="group" aria-label="Which tasks">
        {changes.map((change) => {
          const count = pairs.filter((it) => it.change === change).length;
          return (
            <button
              type="button"
              key={change}
              class={`chip is-change-${change}`}
              aria-pressed={chosen === change}
              disabled={count === 0}
              onClick={() => setChosen(chosen === change ? undefined : change)}
            >
              {changeNames[change]} <span class="chip-count">{formatCount(count)}</span>
            </button>
          );
        })}
      </div>
      <div class="compare-body">
        <div
          class="table compare-table"
          role="table"
          aria-label="Tasks of both runs"
          aria-rowcount={shown.length + 1}
        >
          <div class="table-head" role="row">
            <span role="columnheader">Task</span>
            <span role="columnheader" class="number">
              Before
            </span>
            <span role="columnheader" class="number">
              After
            </span>
            <span role="columnheader" class="number">
              Difference
            </span>
            <span role="columnheader">
              <span class="unseen">Difference as a bar</span>
            </span>
          </div>
          <VirtualRows
            class="table-body"
            role="rowgroup"
            label="Tasks"
            count={shown.length}
            rowHeight={isNarrow ? 56 : 40}
            row={(at) => (
              <PairRow
                key={shown[at]!.name}
                pair={shown[at]!}
                at={at}
                isOpen={shown[at]!.name === open}
                onOpen={() => setOpen(shown[at]!.name === open ? undefined : shown[at]!.name)}
              />
            )}
          />
        </div>
        {pair !== undefined && (
          <section class="panel both" aria-label={`Samples of ${pair.name}`}>
            <h2>
              <bdi>{oneLine(pair.name)}</bdi>
            </h2>
            {pair.before !== undefined && pair.after !== undefined && (
              <p>
                <a
                  href={hrefOf({
                    page: 'pair',
                    before,
                    after,
                    beforeAt: pair.before.rows[0]!.at,
                    afterAt: pair.after.rows[0]!.at,
                  })}
                >
                  Transcripts side by side
                </a>
              </p>
            )}
            <Side run={before} title="Before" summary={pair.before} />
            <Side run={after} title="After" summary={pair.after} />
          </section>
        )}
      </div>
    </main>
  );
}

/** Why a run is not to be compared; undefined where it is. */
function doubtOf(info: RunData['info']): string | undefined {
  if (info.kind !== 'evaluation') return undefined;
  if (info.isLive || info.results?.['isComplete'] === false)
    return 'It is not finished, so its figures may change.';
  return readRunResults(info.results).distrust;
}

interface RunChoiceProps {
  name: string;
  runs: readonly RunData[];
  value: number;
  onChange: (run: number) => void;
}

function RunChoice({ name, runs, value, onChange }: RunChoiceProps): JSX.Element {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
        {runs.map(({ info }, number) =>
          info.kind === 'evaluation' ? (
            <option key={number} value={number}>
              {oneLine(info.title)}
            </option>
          ) : null,
        )}
      </select>
    </label>
  );
}

interface PairRowProps {
  pair: TaskPair;
  at: number;
  isOpen: boolean;
  onOpen: () => void;
}

function PairRow({ pair, at, isOpen, onOpen }: PairRowProps): JSX.Element {
  const text = (pair.before ?? pair.after)?.rows[0]?.taskText;
  return (
    <div class={`table-row${isOpen ? ' is-active' : ''}`} role="row" aria-rowindex={at + 2} onClick={onOpen}>
      <span role="cell" class="task">
        <button type="button" class="link" aria-expanded={isOpen}>
          <bdi>{oneLine(pair.name)}</bdi>
        </button>
        {text != null && (
          <bdi class="task-text" title={oneLine(text)}>
            {oneLine(text)}
          </bdi>
        )}
      </span>
      <span role="cell" class="number">
        <Mean summary={pair.before} />
      </span>
      <span role="cell" class="number">
        <Mean summary={pair.after} />
      </span>
      <span role="cell" class={`number difference is-change-${pair.change}`}>
        {formatDifference(pair.difference)}
      </span>
      <span role="cell" class="difference-bar" aria-hidden="true">
        {pair.difference !== undefined && pair.difference !== 0 && (
          <span
            class={`is-change-${pair.change}`}
            style={{ width: `${Math.min(1, Math.abs(pair.difference)) * 50}%` }}
          />
        )}
      </span>
    </div>
  );
}

function Mean({ summary }: { summary: Summary | undefined }): JSX.Element {
  const failed = summary?.rows.filter(({ score }) => score === null).length ?? 0;
  return (
    <>
      {formatScore(summary?.mean)}
      {failed > 0 && (
        <span class="note" title="Samples without a score">
          {' '}
          ({failed} without)
        </span>
      )}
    </>
  );
}

/** Null for a file of rollouts. */
function judgedRun(name: JudgedRun['name'], record: RunRecord, rows: readonly SampleRow[]): JudgedRun {
  const outcomes = new Set(rows.map(({ outcome }) => outcome));
  return { name, record, judges: new Set([record.judge]), outcomes };
}

function runOf(data: RunData | undefined): RunRecord | null {
  return data?.info.kind === 'evaluation' ? data.info.run : null;
}

function Side({
  run,
  title,
  summary,
}: {
  run: number;
  title: string;
  summary: Summary | undefined;
}): JSX.Element {
  return (
    <div>
      <h3>{title}</h3>
      {summary === undefined ? (
        <p class="empty">This run has no such task.</p>
      ) : (
        <ul class="side">
          {summary.rows.slice(0, 100).map((row: SampleRow) => (
            <li key={row.at}>
              <a href={hrefOf({ page: 'sample', run, at: row.at })}>#{row.sample}</a>
              <OutcomeLabel kind={row.outcome} />
              <b>{formatScore(row.score)}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
