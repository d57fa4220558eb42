import { ArtError, describeValue, isJsonObject, refuseData } from '@art/ground';
import { sampleId } from '@art/trajectories';
import { readAnnotation } from '../records/annotation.ts';
import { attackedTask, sampleWith } from './attacked-task.ts';
import type { JudgedSample } from '../run/judge.ts';
import { dataFiles } from '../tasks/data-files.ts';
import type { DataOptions } from '../tasks/open-task-file.ts';
import { dataFormats, isDataFile, readRows } from '../tasks/read-rows.ts';
import { renamedColumns } from '../tasks/task-columns.ts';
import { readTask } from '../tasks/task.ts';

/** One of the values that a rater can give: a score, 1 or 0 for passed and failed, or a name. */
export type Category = number | string;

/** A person's judgement of a sample. */
export interface Label {
  id: string;
  taskId: string;
  /** Null where the person has given none. */
  label: Category | null;
  /** A judge's, where it stands beside the person's; null for none. */
  judged: Category | null;
  /** True if the label says passed or failed. */
  isVerdict: boolean;
  /** The texts that it is about, where it has them. */
  sample: JudgedSample | undefined;
}

type Row = Readonly<Record<string, unknown>>;

const responseNames = ['response', 'output', 'completion', 'answer', 'text'];
const passed = /^(?:pass(?:ed)?|true|yes|good|correct|right)$/i;
const failed = /^(?:fail(?:ed)?|false|no|bad|incorrect|wrong)$/i;

/**
 * Labels of samples: `{ id, label }`, also `{ taskId, sample, label }`. The label is `label` or `human`; beside a run or a judge `score`, `rating` and `reward`
 * are read, too, and elsewhere `judge`, `reward` and `score` are what a judge has given. `payload` and `document`, or the like, are the texts.
 * The last annotation of a sample counts.
 * @param hasJudge whether the judge's rewards come from elsewhere
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`
 */
export async function* readLabels(
  path: string,
  hasJudge: boolean,
  { columns = {}, split }: DataOptions = {},
): AsyncGenerator<Label, void, undefined> {
  const labelNames = ['label', 'human', ...(hasJudge ? ['score', 'rating', 'reward'] : [])];
  const judgeNames = hasJudge ? [] : ['judge', 'reward', 'score'];
  const annotated = new Map<string, Label>();
  for (const { file, prefix } of await dataFiles(path, split)) {
    if (!isDataFile(file)) refuseData(`labels in a ${dataFormats} file`, path);
    for await (const { value, name, place } of readRows(file, prefix)) {
      if (!isJsonObject(value)) refuse('a JSON object', describeValue(value), place);
      const row = renamedColumns(value, columns, place);
      const given = memberOf(row, labelNames);
      const id = idOf(row) ?? name;
      const task = row['taskId'] ?? row['task_id'];
      const isAnnotation = readAnnotation(value) !== undefined;
      const label: Label = {
        id,
        taskId: isName(task) ? String(task) : id.replace(/#\d+$/, ''),
        label: categoryOf(given, place),
        judged: isAnnotation ? null : categoryOf(memberOf(row, judgeNames), place),
        isVerdict: typeof given === 'boolean' || (typeof given === 'string' && !isNumeric(given)),
        sample: sampleOf(row, id, place, new Set([...labelNames, ...judgeNames])),
      };
      if (isAnnotation) annotated.set(id, label);
      else yield label;
    }
  }
  // A person who judges a sample again changes the label.
  yield* annotated.values();
}

function memberOf(row: Row, names: readonly string[]): unknown {
  return names.map((name) => row[name]).find((value) => value !== undefined && value !== null);
}

function isName(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint'
  );
}

function idOf(row: Row): string | undefined {
  const [task, sample] = [row['taskId'] ?? row['task_id'], row['sample']];
  if (isName(row['id'])) {
    const id = String(row['id']);
    return typeof sample === 'number' && !/#\d+$/.test(id) ? sampleId(id, sample) : id;
  }
  return isName(task) ? sampleId(String(task), Number(sample ?? 0)) : undefined;
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function categoryOf(value: unknown, place: string): Category | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return Number(value);
  // Sums of decimals are the same score where only rounding tells them apart.
  if (typeof value === 'number' || typeof value === 'bigint') return rounded(Number(value));
  if (typeof value !== 'string')
    refuse('a label to be a number, true or false, or a text', describeValue(value), place);
  const text = value.trim();
  if (/^(?:nan|null)?$/i.test(text)) return null;
  if (isNumeric(text)) return rounded(Number(text));
  return passed.test(text) ? 1 : failed.test(text) ? 0 : text;
}

/** A figure without what rounding has added. */
export function rounded(figure: number): number {
  return Number(figure.toPrecision(9));
}

function sampleOf(row: Row, id: string, place: string, own: ReadonlySet<string>): JudgedSample | undefined {
  const response = responseNames.find((name) => typeof row[name] === 'string');
  if (response === undefined && !isJsonObject(row['document'])) return undefined;
  const { document, expected, tags, payload, ...others } = row;
  const rest = Object.entries(others).filter(
    ([name]) => name !== 'id' && name !== response && !own.has(name),
  );
  const task = readTask({ id, expected, tags, payload: payload ?? Object.fromEntries(rest) }, id, place);
  const sample = sampleWith(attackedTask(task), response && row[response], undefined);
  return isJsonObject(document) ? { ...sample, document } : sample;
}

function refuse(expected: string, got: string, place: string): never {
  throw new ArtError({
    code: 'ART_INVALID_PAYLOAD',
    message: `Expected ${expected}, got ${got} (${place}). A label is {"id": "task#0", "label": 1}; with "payload" and "response" a judge can be measured without a run.`,
  });
}
