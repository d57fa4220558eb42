import { ArtError, type JsonObject } from '@art/ground';
import type { ErrorRecord } from '@art/rollout';
import type { RecordedRollout, TrainingRow } from '@art/trajectories';
import { evalGroupLine, type GroupLine } from './group-line.ts';
import { readGroupFile } from './read-group-file.ts';
import { readJsonLines } from './json-lines.ts';
import { readRollouts } from './read-rollouts.ts';
import { readRunRecord } from './run-record.ts';
import type { RecordedRun } from './recognise-run.ts';
import { rolloutLine, RolloutNames } from './rollout-line.ts';

/** A rollout as a run recorded it. What is undefined nobody saw. */
export interface RunRollout extends RecordedRollout {
  error?: ErrorRecord | null | undefined;
  modelCalls?: number | undefined;
  failedCalls?: number | undefined;
  trainedTokens?: number | undefined;
  rows?: readonly TrainingRow[] | undefined;
  payload?: JsonObject | undefined;
  document?: JsonObject | null | undefined;
}

/**
 * The rollouts of a run of any kind, one in memory at a time.
 * @throws ArtError `ART_INVALID_OPTION` where a run kept no rollouts, or a transcript cannot be read
 */
export function readRunRollouts(run: RecordedRun): AsyncGenerator<RunRollout, void, undefined> {
  switch (run.kind) {
    case 'evaluation':
      return samplesOf(run.folder);
    case 'rollouts':
      return rolloutsOf(run.file);
    case 'groups':
      return membersOf(run.files);
    case 'training':
      if (run.rollouts === undefined)
        throw new ArtError({
          code: 'ART_INVALID_OPTION',
          message: `Expected ${run.folder} to have a rollouts.jsonl, got none: no step has ended, or something else than "art train" made the run. Its held-out evaluations are folders of their own.`,
        });
      return rolloutsOf(run.rollouts);
  }
}

async function* samplesOf(folder: string): AsyncGenerator<RunRollout, void, undefined> {
  // One that cannot be read is told before anything else.
  await readRunRecord(folder);
  yield* readRollouts(folder);
}

async function* rolloutsOf(file: string): AsyncGenerator<RunRollout, void, undefined> {
  const names = new RolloutNames();
  for await (const { value } of readJsonLines(file)) {
    const line = rolloutLine(value);
    if (line === undefined) continue;
    const id = names.nameOf(line);
    yield { ...line, id, inputId: line.inputId ?? id };
  }
}

async function* membersOf(files: readonly string[]): AsyncGenerator<RunRollout, void, undefined> {
  for (const file of files) {
    if (file.endsWith('.json')) {
      const group = await readGroupFile(file);
      if (group !== undefined) yield* rolloutsOfGroup(group);
      continue;
    }
    for await (const { value } of readJsonLines(file)) {
      const group = evalGroupLine(value);
      if (group !== undefined) yield* rolloutsOfGroup(group);
    }
  }
}

function* rolloutsOfGroup({ inputId, members }: GroupLine): Generator<RunRollout, void, undefined> {
  // One that was stopped as its group had enough says nothing.
  for (const member of members.filter(({ status }) => status !== 'surplus'))
    yield { ...member, id: `${inputId}#${member.member}`, inputId };
}
