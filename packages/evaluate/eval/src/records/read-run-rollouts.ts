import { ArtError, readJsonLines } from '@art/ground';
import {
  type GroupRecord,
  readGroupRecord,
  readRolloutRecord,
  type RecordedRollout,
  RolloutNames,
} from '@art/trajectories';
import { readJsonFile } from './read-json-file.ts';
import { readRollouts } from './read-rollouts.ts';
import type { RecordedRun } from './recognise-run.ts';
import { runPath } from './run-folder.ts';
import { readRunRecord } from './run-record.ts';

type OnTorn = (file: string, bytes: number) => void;

/**
 * The rollouts of a run of any kind, one in memory at a time.
 * @param onTorn gets the size of each line that is not whole: a process writes it, or was killed
 * @throws ArtError `ART_INVALID_OPTION` where a run kept no rollouts, or a transcript cannot be read
 */
export function readRunRollouts(
  run: RecordedRun,
  onTorn?: OnTorn,
): AsyncGenerator<RecordedRollout, void, undefined> {
  switch (run.kind) {
    case 'evaluation':
      return samplesOf(run.folder, onTorn);
    case 'rollouts':
      return rolloutsOf(run.file, onTorn);
    case 'groups':
      return membersOf(run.files, onTorn);
    case 'training':
      if (run.rollouts === undefined)
        throw new ArtError({
          code: 'ART_INVALID_OPTION',
          message: `Expected ${run.folder} to have a rollouts.jsonl, got none: no step has ended, or something else than "art train" made the run. Its held-out evaluations are their own folders.`,
        });
      return rolloutsOf(run.rollouts, onTorn);
  }
}

async function* samplesOf(
  folder: string,
  onTorn: OnTorn | undefined,
): AsyncGenerator<RecordedRollout, void, undefined> {
  // One that cannot be read is told before anything else.
  await readRunRecord(folder);
  yield* readRollouts(folder, (bytes) => onTorn?.(runPath(folder, 'samples'), bytes));
}

async function* rolloutsOf(
  file: string,
  onTorn: OnTorn | undefined,
): AsyncGenerator<RecordedRollout, void, undefined> {
  const names = new RolloutNames();
  for await (const { value } of readJsonLines(file, 0, (bytes) => onTorn?.(file, bytes))) {
    const record = readRolloutRecord(value, names);
    if (record !== undefined) yield record;
  }
}

async function* membersOf(
  files: readonly string[],
  onTorn: OnTorn | undefined,
): AsyncGenerator<RecordedRollout, void, undefined> {
  for (const file of files) {
    if (file.endsWith('.json')) {
      const group = await readGroupFile(file);
      if (group !== undefined) yield* rolloutsOfGroup(group);
      continue;
    }
    for await (const { value } of readJsonLines(file, 0, (bytes) => onTorn?.(file, bytes))) {
      const group = readGroupRecord(value);
      if (group !== undefined) yield* rolloutsOfGroup(group);
    }
  }
}

function* rolloutsOfGroup({ inputId, members }: GroupRecord): Generator<RecordedRollout, void, undefined> {
  // One that was stopped as its group had enough says nothing.
  for (const member of members.filter(({ status }) => status !== 'surplus'))
    yield { ...member, id: `${inputId}#${member.member}`, inputId };
}

/** A group that `art collect` keeps in its own file; undefined where it was acknowledged meanwhile, and so is gone. */
export async function readGroupFile(file: string): Promise<GroupRecord | undefined> {
  return readGroupRecord(await readJsonFile(file));
}
