import { isJsonObject, refuseData } from '@art/ground';
import type { DataRow } from './read-rows.ts';
import { PlacedTask } from './placed-task.ts';

/** Names of a task by those of the data: `{ prompt: 'question', expected: 'answer' }`. `id`, `tags` and `expected` are the task's, others its payload's. */
export type TaskColumns = Readonly<Record<string, string>>;

/**
 * A row as a task. Of a table, and of what has `columns`, `id`, `tags` and `expected` are the task's and all others its payload: what a judge is to
 * compare with is not sent.
 * @throws ArtError `ART_INVALID_PAYLOAD`; `ART_INVALID_OPTION` for a column that is not there
 */
export function taskOfRow(
  { value, name, place, isOfTable }: DataRow,
  columns: TaskColumns | undefined,
): PlacedTask {
  const isPlain = columns === undefined && !isOfTable;
  const task = isPlain || !isJsonObject(value) ? value : ofColumns(value, columns ?? {}, place);
  return new PlacedTask(task, name, place);
}

function ofColumns(value: Record<string, unknown>, columns: TaskColumns, place: string): object {
  const { payload, ...own } = value;
  const isTask = isJsonObject(payload);
  const sent = isTask ? { ...payload, id: own['id'], tags: own['tags'], expected: own['expected'] } : value;
  const all = isTask ? { ...payload, ...own } : value;
  const { id, tags, expected, payload: whole, ...rest } = renamedColumns(sent, columns, place, all);
  return {
    // An empty cell says nothing.
    id: id === '' ? undefined : id,
    tags: typeof tags === 'string' ? tags.split(';').flatMap((tag) => tag.trim() || []) : tags,
    expected: expected === '' ? undefined : expected,
    payload: whole ?? rest,
  };
}

/** The members of a row by the names of `columns`; what has another name now does not keep its own. @param all where they are looked for */
export function renamedColumns(
  members: Readonly<Record<string, unknown>>,
  columns: TaskColumns,
  place: string,
  all = members,
): Record<string, unknown> {
  const moved = new Set([...Object.keys(columns), ...Object.values(columns)]);
  const kept = Object.entries(members).filter(([name]) => !moved.has(name));
  const named = Object.entries(columns).map(([name, column]) => [name, memberOf(all, column, place)]);
  return Object.fromEntries([...kept, ...named]) as Record<string, unknown>;
}

function memberOf(members: Readonly<Record<string, unknown>>, column: string, place: string): unknown {
  if (Object.hasOwn(members, column)) return members[column];
  return refuseData(
    `a column ${JSON.stringify(column)} (--columns)`,
    `${Object.keys(members).join(', ')} in ${place}`,
  );
}
