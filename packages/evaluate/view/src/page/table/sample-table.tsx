import { isInRange } from '@art/ground/figures';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SampleRow } from '../../report/sample-row.ts';
import { OutcomeLabel } from '../shell/outcome-label.tsx';
import { goTo, hrefOf } from '../shell/route.ts';
import { formatCount, formatDuration, formatScore } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import type { SortKey, SortOrder } from './sort-rows.ts';
import { useNarrow } from './use-narrow.ts';
import { VirtualRows } from '../scroll/virtual-rows.tsx';

const columns: readonly { name: string; sort: SortKey | undefined; isNumber?: boolean }[] = [
  { name: 'Task', sort: 'task' },
  { name: 'Outcome', sort: 'outcome' },
  { name: 'Score', sort: 'score', isNumber: true },
  { name: 'Latency', sort: 'latency', isNumber: true },
  { name: 'Calls', sort: 'calls', isNumber: true },
  { name: 'Tokens', sort: 'tokens', isNumber: true },
  { name: 'Attempts', sort: 'attempts', isNumber: true },
  { name: 'What happened', sort: undefined },
];

export interface SampleTableProps {
  run: number;
  rows: readonly SampleRow[];
  order: SortOrder;
  lastAt: number | undefined;
  onSort: (order: SortOrder) => void;
}

/** The samples of a run, as many as there are. Arrow keys walk, Enter opens. */
export function SampleTable({ run, rows, order, lastAt, onSort }: SampleTableProps): JSX.Element {
  const isNarrow = useNarrow();
  const [active, setActive] = useState<number | undefined>(() => {
    const known = rows.findIndex(({ at }) => at === lastAt);
    return known === -1 ? undefined : known;
  });
  const shownOrder = useRef(order);
  // Before the next key is heard, which would walk on from a row that has moved.
  useLayoutEffect(() => {
    if (shownOrder.current !== order) setActive(undefined);
    shownOrder.current = order;
  }, [order]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = rowAfterKey(event.key, active, rows.length);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && active !== undefined && rows[active] !== undefined)
      goTo({ page: 'sample', run, at: rows[active].at });
    else return;
    event.preventDefault();
  };
  // Wherever the focus is, but where a key does something else.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
      const isTaken = event.target.closest('input, select, textarea, dialog') !== null;
      const isPressed = event.key === 'Enter' && event.target.closest('a, button, summary') !== null;
      if (!isTaken && !isPressed) onKeyDown(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
  return (
    <div class="table" role="table" aria-label="Samples" aria-rowcount={rows.length + 1}>
      <div class="table-head" role="row">
        {columns.map(({ name, sort, isNumber }) => (
          <span
            key={name}
            role="columnheader"
            class={isNumber === true ? 'number' : ''}
            aria-sort={sortState(order, sort)}
          >
            {sort === undefined ? (
              name
            ) : (
              <button type="button" class="sort" onClick={() => onSort(nextOrder(order, sort))}>
                {name}
                <span aria-hidden="true">{arrow(order, sort)}</span>
              </button>
            )}
          </span>
        ))}
      </div>
      <VirtualRows
        class="table-body"
        label="Rows of samples"
        role="rowgroup"
        count={rows.length}
        rowHeight={isNarrow ? 64 : 36}
        active={active}
        row={(at) => <Row key={rows[at]!.at} run={run} row={rows[at]!} at={at} isActive={at === active} />}
      />
    </div>
  );
}

interface RowProps {
  run: number;
  row: SampleRow;
  at: number;
  isActive: boolean;
}

function Row({ run, row, at, isActive }: RowProps): JSX.Element {
  const href = hrefOf({ page: 'sample', run, at: row.at });
  return (
    <div
      class={`table-row${isActive ? ' is-active' : ''}`}
      role="row"
      aria-rowindex={at + 2}
      onClick={() => (location.hash = href)}
    >
      <span role="cell" class="task">
        <a href={href} tabIndex={-1} title={oneLine(row.taskId)}>
          <bdi>{oneLine(row.taskId)}</bdi>
          <span class="sample-number">#{row.sample}</span>
        </a>
        {row.taskText !== null && (
          <bdi class="task-text" title={oneLine(row.taskText)}>
            {oneLine(row.taskText)}
          </bdi>
        )}
      </span>
      <span role="cell" class="result">
        <OutcomeLabel kind={row.outcome} />
      </span>
      <span role="cell" class="number score">
        <ScoreBar score={row.score} />
        {formatScore(row.score)}
      </span>
      <span role="cell" class="number">
        {formatDuration(row.latencyMs)}
      </span>
      <span role="cell" class="number minor">
        {formatCount(row.modelCalls)}
      </span>
      <span role="cell" class="number minor">
        {formatCount(row.tokens)}
      </span>
      <span role="cell" class="number minor">
        {row.attempts.length > 1 ? <strong>{row.attempts.length}</strong> : row.attempts.length}
      </span>
      <span role="cell" class="what">
        {row.problem === null &&
          row.tags.map((tag) => (
            <bdi class="tag" key={tag}>
              {oneLine(tag)}
            </bdi>
          ))}
        <bdi title={oneLine(row.problem ?? row.remark ?? '')}>{oneLine(row.problem ?? row.remark ?? '')}</bdi>
      </span>
    </div>
  );
}

function ScoreBar({ score }: { score: number | null }): JSX.Element | null {
  if (score === null || !isInRange(score, [0, 1])) return null;
  return (
    <span class="score-bar" aria-hidden="true">
      <span style={{ width: `${score * 100}%` }} />
    </span>
  );
}

function rowAfterKey(key: string, active: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const at = active ?? -1;
  const within = (row: number): number => Math.max(0, Math.min(count - 1, row));
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return within(at + 1);
    case 'ArrowUp':
    case 'k':
      return within(at - 1);
    case 'PageDown':
      return within(at + 15);
    case 'PageUp':
      return within(at - 15);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Largest first, smallest first, as recorded. */
function nextOrder(order: SortOrder, key: SortKey): SortOrder {
  if (order === `-${key}`) return key;
  return order === key ? '' : `-${key}`;
}

function sortState(
  order: SortOrder,
  key: SortKey | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (key === undefined) return undefined;
  if (order === key) return 'ascending';
  return order === `-${key}` ? 'descending' : 'none';
}

function arrow(order: SortOrder, key: SortKey): string {
  if (order === key) return ' ↑';
  return order === `-${key}` ? ' ↓' : '';
}
