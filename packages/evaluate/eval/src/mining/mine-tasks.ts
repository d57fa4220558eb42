import { createHash } from 'node:crypto';
import {
  isJsonObject,
  readMember,
  redactSecrets,
  refuseOption,
  secretNames,
  stringifyJson,
} from '@art/ground';
import { readRunRollouts } from '../records/read-run-rollouts.ts';
import { readSamples } from '../records/read-samples.ts';
import { recogniseRun, recordedRunKinds } from '../records/recognise-run.ts';
import { RecordedTasks } from '../records/recorded-tasks.ts';
import { isDataFile, readRows } from '../tasks/read-rows.ts';
import type { Task } from '../tasks/task.ts';
import { spanInputs } from './span-inputs.ts';

/** Tasks that were made of what was recorded, in the order in which it was. */
export interface MinedTasks {
  tasks: Task[];
  /** Tasks for a last measurement. None of them is among the others, and none moves to them when more is recorded. */
  heldOut: Task[];
  /** Inputs that were found. */
  inputs: number;
  /** Inputs that were equal to one before. */
  repeated: number;
  /** Records without the input of an agent. */
  withoutInput: number;
  /** Values that seemed to be secret, by the names of their fields; those within texts by `text`. */
  secrets: Record<string, number>;
}

type Input = Partial<Task> | undefined;

/**
 * Makes tasks of a recorded run, or of OTLP's JSON of an agent's spans: each input once, without what seems to be secret. A task is known by the digest
 * of its input, which also says whether it is held out.
 * @param heldOutShare of the tasks, from 0 up to 1
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`
 */
export async function mineTasks(path: string, heldOutShare = 0): Promise<MinedTasks> {
  const mined: MinedTasks = { tasks: [], heldOut: [], inputs: 0, repeated: 0, withoutInput: 0, secrets: {} };
  const seen = new Set<string>();
  const leaveOut = (what: string): void => {
    mined.secrets[what] = (mined.secrets[what] ?? 0) + 1;
  };
  const add = (): void => leaveOut('text');
  const isSecret = secretNames();
  const redaction = {
    // A header is no secret because it is one.
    names: (name: string) => ({ ...isSecret(name), isHeaderMap: false }),
    found: { add, addUserInfo: add, addParameter: add },
    leaveOut,
  };
  for await (const input of inputsOf(path)) {
    if (input?.payload === undefined) {
      mined.withoutInput += 1;
      continue;
    }
    mined.inputs += 1;
    // Keys differ from caller to caller: without them, inputs may be equal.
    const task = redactSecrets(input, redaction) as Partial<Task> & Pick<Task, 'payload'>;
    const digest = createHash('sha256').update(plainText(task.payload)).digest();
    const id = digest.toString('hex', 0, 8);
    if (seen.has(id)) {
      mined.repeated += 1;
      continue;
    }
    seen.add(id);
    const place = digest.readUInt32BE(8) / 2 ** 32 < heldOutShare ? mined.heldOut : mined.tasks;
    place.push({ id, payload: task.payload, tags: task.tags ?? [], expected: task.expected ?? null });
  }
  return mined;
}

async function* inputsOf(path: string): AsyncGenerator<Input, void, undefined> {
  if (await areSpans(path)) {
    const values = await Array.fromAsync(readRows(path), ({ value }) => value);
    yield* spanInputs(values).map((payload) => payload && { payload: { ...payload } });
    return;
  }
  const run =
    (await recogniseRun(path)) ?? refuseOption('run', `${recordedRunKinds}, or OTLP's JSON of spans`, path);
  if (run.kind === 'evaluation') {
    const tags = new Map<string, string[]>();
    for await (const { record } of readSamples(run.folder)) tags.set(record.taskId, record.tags);
    const recorded = await RecordedTasks.open(run.folder);
    for (const id of recorded.ids) {
      const task = await recorded.read(id);
      yield isJsonObject(task?.payload)
        ? { payload: task.payload, expected: task.expected, tags: tags.get(id) ?? [] }
        : undefined;
    }
    return;
  }
  for await (const { payload, document } of readRunRollouts(run))
    yield sentIn(payload ?? document?.['payload']);
}

async function areSpans(path: string): Promise<boolean> {
  if (!/\.(?:jsonl?|ndjson)$/i.test(path) || !isDataFile(path)) return false;
  for await (const { value } of readRows(path)) return Array.isArray(readMember(value, 'resourceSpans'));
  return false;
}

/** The caller's part of a payload, without our own fields. */
function sentIn(payload: unknown): Input {
  if (!isJsonObject(payload)) return undefined;
  const { _rollout: _, ...sent } = payload;
  return Object.keys(sent).length === 0 ? undefined : { payload: sent };
}

/** An input without what does not tell it from another one: the order of its members, and white space. */
function plainText(value: unknown): string {
  const plain = (item: unknown): unknown => {
    if (typeof item === 'string') return item.replaceAll(/\s+/g, ' ').trim();
    if (Array.isArray(item)) return item.map(plain);
    if (!isJsonObject(item)) return item;
    // Pairs: an object would order names that look like numbers by itself.
    return [
      Object.entries(item)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, member]) => [name, plain(member)]),
    ];
  };
  return stringifyJson(plain(value));
}
